import fc from 'fast-check'

type Value = fc.Arbitrary<unknown>

const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], 0 as unknown)

/** Values that no field expects: other types, sizes, texts and names that broke programs before. */
const hostileValue: Value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '٣',
    'NaN',
    'null',
    "'; DROP TABLE cameras; --",
    '__proto__',
    '{{7*7}}',
    'x'.repeat(20_000),
    '👩‍👩‍👧'.repeat(100),
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    -0,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    [{}],
    nested(200),
    Array.from({ length: 2000 }, (_, i) => i),
    { length: 3 },
    JSON.parse('{"__proto__":{"papel":"administrador"}}'),
    { constructor: { prototype: 1 }, toString: null, hasOwnProperty: 1 },
  ),
  fc.jsonValue({ depthSize: 'small' }),
)
const hostileName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'empresa_id', 'papel', '', 'x'.repeat(500), '\ud800'),
  fc.string(),
)

/** `valid` values, some with one fault: a field removed, replaced or added, or the whole value in another form. */
export function spoilt(valid: Value): Value {
  return fc.oneof(
    { weight: 3, arbitrary: valid },
    {
      weight: 6,
      arbitrary: fc.tuple(valid, fc.nat(), hostileValue).map(([value, at, by]) => replaceAt(value, at, by)),
    },
    { weight: 2, arbitrary: fc.tuple(valid, fc.nat()).map(([value, at]) => replaceAt(value, at, undefined)) },
    {
      weight: 2,
      arbitrary: fc.tuple(valid, hostileName, hostileValue).map(([value, name, by]) => withField(value, name, by)),
    },
    { weight: 1, arbitrary: valid.map((value) => [value]) },
    { weight: 2, arbitrary: hostileValue },
  )
}

/** A copy whose inner value number `at` (modulo their count) is `by`; undefined removes the field. */
function replaceAt(value: unknown, at: number, by: unknown): unknown {
  const copy = structuredClone(value)
  const slots: (() => void)[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, inner] of Object.entries(node)) {
      slots.push(() =>
        Object.defineProperty(node, key, { value: by, enumerable: true, writable: true, configurable: true }),
      )
      visit(inner)
    }
  }
  visit(copy)
  slots[at % Math.max(1, slots.length)]?.()
  return copy
}

function withField(value: unknown, name: string, by: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return by
  return Object.defineProperty({ ...value }, name, { value: by, enumerable: true })
}

/** Bodies that are no JSON, or barely valid JSON. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '{"nome":',
    '{"nome":"a"}}',
    '\ufeff{}',
    '{"nome":"a","nome":1}',
    '{"porta":1e400}',
    '{"porta":-1e400,"limite_cameras":1e400}',
    '{"__proto__":null}',
    'NaN',
    '[1,]',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    '"\\ud800"',
    '\u0000',
  ),
  fc.string(),
)

export const contentTypes = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/vnd.api+json',
      ';',
    ),
  },
)

/** Values in place of an id in a path or a query, encoded where necessary. None is the id of a record. */
export const hostileSegment = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '%20999999',
    '999999%20',
    '999999',
    '2147483648',
    '99999999999999999999',
    '%D9%A3',
    'null',
    'NaN',
    '__proto__',
    '%',
    '%ff',
    '%00',
    '999999%2f2',
    'a'.repeat(3000),
  ),
  fc
    .string({ minLength: 1 })
    .filter((text) => !/^\d+$/.test(text))
    .map((text) => encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E')),
)
