import type { Value } from '../../jinja/values.ts';
import type { Saved } from './edit.ts';

/** Ansible's result of an edit: what was done to the text, and to the attributes. */
export function editValues(msg: string, saved: Saved): Record<string, Value> {
  const values: Record<string, Value> = { msg: message(msg, saved.attributesChanged) };
  return saved.backupFile === '' ? values : { ...values, backup_file: saved.backupFile };
}

export function message(msg: string, attributesChanged: boolean): string {
  const attributes = 'ownership, perms or SE linux context changed';
  if (!attributesChanged) return msg;
  return msg === '' ? attributes : `${msg} and ${attributes}`;
}
