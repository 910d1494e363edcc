/** What the variable `omit` holds: a parameter that renders to exactly this is left out. The same in every run. */
export const omitToken = '__omit_place_holder__7d3c1f6d2f0a4c0e9b1d5a7e8f3b2c4d6e1f0a9b';
