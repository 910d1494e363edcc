import { isTrue } from '../python/compare.ts';
import { items } from '../python/sequence.ts';
import { attributeGetter, stringOf } from './helpers.ts';
import {
  type CallArguments,
  type Context,
  type FilterTable,
  filter,
  typeError,
  Unknown,
  UnknownReached,
  type Value,
} from './types.ts';

type Pick = (item: Value) => boolean;

export const selectFilters: FilterTable = {
  map: filter('*args, **kwargs', 'A filter, or an attribute, of each item.', (value, args, context) => {
    if (!isTrue(value)) return [];
    return items(value).map(mapper(args.rest, args.keywords, context));
  }),
  select: filter('*args, **kwargs', 'The items that pass a test.', (value, args, context) =>
    choose(value, () => tester(args.rest, args.keywords, context), true),
  ),
  reject: filter('*args, **kwargs', 'The items that do not pass a test.', (value, args, context) =>
    choose(value, () => tester(args.rest, args.keywords, context), false),
  ),
  selectattr: filter(
    'attribute, *args, **kwargs',
    'The items with an attribute that passes a test.',
    (value, args, context) => choose(value, () => attributeTester(args[0]!, args.rest, args.keywords, context), true),
  ),
  rejectattr: filter(
    'attribute, *args, **kwargs',
    'The items without an attribute that passes a test.',
    (value, args, context) => choose(value, () => attributeTester(args[0]!, args.rest, args.keywords, context), false),
  ),
};

function choose(value: Value, makePick: () => Pick, wanted: boolean): Value[] {
  if (!isTrue(value)) return [];
  const pick = makePick();
  return items(value).filter((item) => pick(item) === wanted);
}

function mapper(args: readonly Value[], kwargs: CallArguments['kwargs'], context: Context): (item: Value) => Value {
  const attribute = args.length === 0 ? kwargs.get('attribute') : undefined;
  if (attribute !== undefined) return attributeGetter(attribute, context, kwargs.get('default'));
  const [name, ...rest] = args;
  if (name === undefined) throw typeError('map requires a filter argument');
  const call = { args: rest, kwargs };
  return (item) => context.filter(stringOf(name, 'the name of the filter'), item, call);
}

function tester(args: readonly Value[], kwargs: CallArguments['kwargs'], context: Context): Pick {
  const [name, ...rest] = args;
  if (name === undefined) return isTrue;
  const call = { args: rest, kwargs };
  return (item) => known(context.test(stringOf(name, 'the name of the test'), item, call));
}

function attributeTester(
  attribute: Value,
  args: readonly Value[],
  kwargs: CallArguments['kwargs'],
  context: Context,
): Pick {
  const read = attributeGetter(attribute, context);
  const pick = tester(args, kwargs, context);
  return (item) => pick(read(item));
}

function known(verdict: boolean | Unknown): boolean {
  if (verdict instanceof Unknown) throw new UnknownReached(verdict);
  return verdict;
}
