import { TaskFailure } from '../../core/result.ts';

export const validateParams = {
  validate: { type: 'str', doc: 'Command that judges the new file before it takes its place; %s stands for it' },
  unsafe_writes: {
    type: 'bool',
    doc: 'Write in place where the file cannot be replaced (a bind mount)',
    default: false,
  },
} as const;

export function checkValidate(validate: string | undefined): void {
  if (validate !== undefined && !validate.includes('%s'))
    throw new TaskFailure(`validate must contain %s: ${validate}`);
}
