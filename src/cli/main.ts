process.stdout.write('kpush\n');
