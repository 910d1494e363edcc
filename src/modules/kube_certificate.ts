import type { Plan, WorldView } from '../core/module.ts';
import type { ParamSpecs, Params } from '../core/params.ts';
import { quoteAll } from '../core/quote.ts';
import { result } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { content, contentKey } from '../world/content.ts';
import { file, fileKey } from '../world/file.ts';
import { defineModule } from './define.ts';
import { certificateTrouble } from './lib/certificate.ts';
import { replaced } from './lib/replaced.ts';

const params = {
  name: {
    type: 'str',
    operand: true,
    doc: 'The request: NAME.json and NAME.conf in /etc/kubernetes/certmgr.d',
    required: true,
  },
  command: { type: 'path', doc: 'kube-certmgr on the host', required: true },
  certificate: { type: 'path', doc: 'Where the certificate goes', required: true },
  key: { type: 'path', doc: 'Where its key goes', required: true },
  ca: { type: 'path', doc: 'The certificate of the CA', required: true },
  common_name: { type: 'str', doc: 'Whom it names', required: true },
  organization: { type: 'str', doc: 'Which group that one is of' },
  names: { type: 'list', elements: 'str', doc: 'Its DNS names and addresses', default: [] },
  owner: { type: 'str', operand: true, doc: 'Who may read the key', default: 'root' },
  renew_hours: { type: 'int', doc: 'With less than this left it is made anew', default: 72 },
  keep: {
    type: 'bool',
    doc: 'Once there is one it stays, whatever its age: others hold its public key',
    default: false,
  },
} as const satisfies ParamSpecs;

type CertificateParams = Params<typeof params>;

export const kubeCertificateModule = defineModule({
  name: 'kube_certificate',
  doc: {
    summary: 'A certificate from the CA of the cluster, with a key that is made on the host and stays there',
    notes: [
      'It is issued by kube-certmgr on the host when it is missing, of another CA, for another name, or near its end. The plan says which of these.',
      'The key itself is never read.',
    ],
    examples: `- kube_certificate:
    name: kubelet
    command: /usr/local/bin/kube-certmgr
    certificate: /etc/kubernetes/pki/kubelet.pem
    key: /etc/kubernetes/pki/kubelet-key.pem
    ca: /etc/kubernetes/pki/ca.pem
    common_name: system:node:worker1
    organization: system:nodes
    names: [worker1, 10.0.0.21]
`,
    returns: { reason: 'why it was issued, empty when it was not' },
  },
  params,
  facts: (given) => [
    contentKey(given.certificate, { text: true }),
    contentKey(given.ca, { text: true }),
    ...[given.key, marker(given.certificate)].map(fileKey),
  ],
  plan: (given, world, ctx) => planCertificate(given, world, ctx.now),
});

function planCertificate(given: CertificateParams, world: WorldView, now: number): Plan {
  const reason = reasonToIssue(given, world, now);
  const steps = reason === undefined ? [] : [issueStep(given, reason)];
  return { steps, result: result(reason !== undefined, { name: given.name, reason: reason ?? '' }) };
}

function reasonToIssue(given: CertificateParams, world: WorldView, now: number): string | undefined {
  const found = content(world, given.certificate, { text: true });
  if (!found.exists) return 'there is none';
  if (!file(world, given.key).exists) return 'its key is missing';
  if (file(world, marker(given.certificate)).exists) return 'an earlier issue was cut off';
  if (given.keep) return undefined;
  const ca = content(world, given.ca, { text: true });
  return certificateTrouble(found.text ?? '', ca.text ?? '', { ...wanted(given), now });
}

function wanted(given: CertificateParams) {
  const { common_name, organization, names, renew_hours } = given;
  return { commonName: common_name, organization, names, renewMs: renew_hours * 3_600_000 };
}

function issueStep(given: CertificateParams, reason: string): Step {
  const fields = [{ name: 'certificate', before: reason, after: `issued for ${given.common_name}` }];
  return {
    title: `issue certificate ${given.name}: ${reason}`,
    run: { kind: 'sh', script: quoteAll([given.command, 'issue', given.name]) },
    effects: [
      ...replaced(given.key, { mode: 0o600, owner: given.owner }),
      ...replaced(given.certificate, { mode: 0o644, owner: 'root' }),
    ],
    diff: [{ kind: 'fields', subject: given.certificate, fields }],
    proof: [fileKey(given.key), fileKey(given.certificate)],
    onCut: 'finish',
    timeout: 120,
  };
}

/** kube-certmgr leaves it there while key and certificate may not belong together. */
function marker(certificate: string): string {
  return `${certificate}.issuing`;
}
