import { DateTime } from '../objects/datetime.ts';
import { momentOf } from '../python/calendar.ts';
import { isTrue } from '../python/compare.ts';
import { toFloat } from '../python/numbers.ts';
import { pyStr } from '../python/repr.ts';
import { strftime } from '../python/strftime.ts';
import { strptime } from '../python/strptime.ts';
import { given, stringOf } from './helpers.ts';
import { type FilterTable, filter, typeError } from './types.ts';

export const dateFilters: FilterTable = {
  strftime: filter(
    'second?, utc?',
    'A moment (seconds since 1970, or now) in this format.',
    (value, [second, utc = false], context) => {
      const epoch = given(second) ? toFloat(second) : context.env.now().getTime() / 1000;
      if (epoch === undefined || !Number.isFinite(epoch))
        throw typeError(`Invalid value for epoch value (${pyStr(second!)})`);
      return strftime(stringOf(value, 'the format'), momentOf(new Date(Math.floor(epoch) * 1000), isTrue(utc)));
    },
  ),
  to_datetime: filter(
    'format?',
    'The moment that a text names.',
    (value, [format = '%Y-%m-%d %H:%M:%S']) => new DateTime(strptime(stringOf(value), stringOf(format, 'format'))),
  ),
};
