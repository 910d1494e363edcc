import type { Fault } from '../support/fault.ts';
import { diskRows } from './disk.ts';
import { kpushRows } from './kpush.ts';
import { oddRows } from './more.ts';
import { networkRows } from './network.ts';
import { peopleRows } from './people.ts';
import { timeRows } from './time.ts';
import { workRows } from './work.ts';

export interface Group {
  title: string;
  rows: Fault[];
}

export const groups: Group[] = [
  { title: 'kpush and its terminal', rows: kpushRows },
  { title: 'Network, sshd and power', rows: networkRows },
  { title: 'Disks and files', rows: diskRows },
  { title: 'People', rows: peopleRows },
  { title: 'Odd hosts, slow links and other obstacles', rows: oddRows },
  { title: 'Clocks and boots', rows: timeRows },
  { title: 'Units, output and packages', rows: workRows },
];

export const rows: Fault[] = groups.flatMap((group) => group.rows);
