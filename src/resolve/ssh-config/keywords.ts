import { inputError } from '../../core/errors.ts';
import { type AlgorithmKind, algorithmList } from './algorithms.ts';
import { jumpList } from './jumps.ts';
import type { ConfigLine } from './lines.ts';

/** What a line sets: canonical texts. undefined: it is valid and sets nothing. */
type Reader = (line: ConfigLine) => string[] | undefined;

/** The keywords that matter here. Their values are checked in blocks that do not match, too, as OpenSSH does. */
export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['hostname', text],
  ['user', text],
  ['port', number(1, 65_535)],
  ['hostkeyalias', text],
  ['identityfile', text],
  ['identitiesonly', choice(['yes', 'true'], ['no', 'false'])],
  ['identityagent', text],
  ['certificatefile', text],
  ['proxyjump', (line) => [jumpList(line)]],
  ['proxycommand', ({ rest }) => [rest]],
  ['userknownhostsfile', files],
  ['globalknownhostsfile', files],
  ['stricthostkeychecking', choice(['yes', 'true'], ['no', 'false', 'off'], ['ask'], ['accept-new'])],
  ['hashknownhosts', choice(['yes', 'true'], ['no', 'false'])],
  ['connecttimeout', time],
  ['connectionattempts', number(0, 2 ** 31 - 1)],
  ['serveraliveinterval', time],
  ['serveralivecountmax', number(0, 2 ** 31 - 1)],
  ['addressfamily', choice(['any'], ['inet'], ['inet6'])],
  ['bindaddress', text],
  ['ciphers', algorithms('ciphers')],
  ['macs', algorithms('macs')],
  ['kexalgorithms', algorithms('kexalgorithms')],
  ['hostkeyalgorithms', algorithms('hostkeyalgorithms')],
  ['ignoreunknown', text],
  ['canonicalizehostname', choice(['yes', 'true'], ['no', 'false'], ['always'])],
]);

/** Each line adds one; of the others the first line wins. */
export const adding: ReadonlySet<string> = new Set(['identityfile', 'certificatefile']);

function text(line: ConfigLine): string[] {
  const [word, ...more] = line.words;
  if (more.length > 0) throw bad(line, 'more than one value', 'one value, in quotes where it has blanks');
  if (word === undefined || word === '') throw bad(line, 'no value', 'a value');
  return [word];
}

function number(least: number, most: number): Reader {
  return (line) => {
    const [word = ''] = text(line);
    const value = Number(word);
    if (/^\d+$/.test(word) && value >= least && value <= most) return [String(value)];
    throw bad(line, `'${word}'`, `a number from ${least} to ${most}`);
  };
}

/** The first of each group is the canonical word. */
function choice(...groups: string[][]): Reader {
  return (line) => {
    const [word = ''] = text(line);
    const group = groups.find((words) => words.includes(word.toLowerCase()));
    if (group?.[0]) return [group[0]];
    throw bad(line, `'${word}'`, groups.map(([first]) => first).join(', '));
  };
}

function files(line: ConfigLine): string[] {
  const { words } = line;
  if (words.length === 0 || words.includes('')) throw bad(line, 'an empty name', 'one file or several');
  if (words.length > 1 && words.some((word) => word.toLowerCase() === 'none'))
    throw bad(line, "'none' beside other names", "'none' alone");
  return words;
}

const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `90`, `1m30s`: seconds. `none` leaves the word to a later line. */
function time(line: ConfigLine): string[] | undefined {
  const [word = ''] = text(line);
  if (word === 'none') return undefined;
  if (!/^(?:\d+[smhdw]?)+$/i.test(word)) throw bad(line, `'${word}'`, "a time such as 30, 2m or '1h30m'");
  const parts = [...word.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)];
  return [String(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 1), 0))];
}

function algorithms(kind: AlgorithmKind): Reader {
  return (line) => {
    const [word = ''] = text(line);
    const list = algorithmList(kind, word);
    if (list) return [list.join(',')];
    throw bad(line, `'${word}'`, 'names that OpenSSH knows, with commas, perhaps behind +, - or ^');
  };
}

function bad({ keyword, origin }: ConfigLine, what: string, expected: string) {
  return inputError(`${keyword}: ${what} cannot be used`, { origin, expected });
}

/** Keywords that OpenSSH has and kpush does not need: their values are not looked at. */
export const otherKeywords: ReadonlySet<string> = new Set(
  `addkeystoagent afstokenpassing batchmode bindinterface canonicaldomains canonicalizefallbacklocal
  canonicalizemaxdots canonicalizepermittedcnames casignaturealgorithms challengeresponseauthentication
  channeltimeout checkhostip cipher clearallforwardings compression compressionlevel controlmaster controlpath
  controlpersist dsaauthentication dynamicforward enableescapecommandline enablesshkeysign escapechar
  exitonforwardfailure fallbacktorsh fingerprinthash forkafterauthentication forwardagent forwardx11
  forwardx11timeout forwardx11trusted gatewayports globalknownhostsfile2 gssapiauthentication gssapiclientidentity
  gssapidelegatecredentials gssapikexalgorithms gssapikeyexchange gssapirenewalforcesrekey gssapiserveridentity
  gssapitrustdns hostbasedacceptedalgorithms hostbasedauthentication hostbasedkeytypes identityfile2
  ipqos kbdinteractiveauthentication kbdinteractivedevices keepalive kerberosauthentication kerberostgtpassing
  knownhostscommand localcommand localforward loglevel logverbose nohostauthenticationforlocalhost
  numberofpasswordprompts obscurekeystroketiming passwordauthentication permitlocalcommand permitremoteopen
  pkcs11provider preferredauthentications protocol proxyusefdpass pubkeyacceptedalgorithms pubkeyacceptedkeytypes
  pubkeyauthentication refuseconnection rekeylimit remotecommand remoteforward requesttty requiredrsasize
  revokedhostkeys rhostsauthentication rhostsrsaauthentication rsaauthentication securitykeyprovider sendenv
  sessiontype setenv skeyauthentication smartcarddevice stdinnull streamlocalbindmask streamlocalbindunlink
  syslogfacility tag tcpkeepalive tisauthentication tunnel tunneldevice updatehostkeys useprivilegedport
  useroaming usersh userknownhostsfile2 verifyhostkeydns versionaddendum visualhostkey warnweakcrypto xauthlocation`.split(
    /\s+/,
  ),
);
