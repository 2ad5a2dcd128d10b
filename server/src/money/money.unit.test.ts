import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import {
  AmountError,
  amountText,
  apportion,
  currencies,
  findCurrency,
  getTotal,
  inMinorUnits,
  isBalanced,
  isWithdrawn,
  lessPercent,
  ofMinorUnits,
  shares,
  times,
} from './index.ts'

const digitsOf = { JPY: 0, USD: 2, COP: 2, KWD: 3 } as const
type Currency = keyof typeof digitsOf
const currency = fc.constantFrom(...(Object.keys(digitsOf) as Currency[]))

/** Whole numbers of units as the decimal that JSON would have. */
function decimal(units: bigint, digits: number): string {
  const sign = units < 0n ? '-' : ''
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

const sent = (units: bigint, of: Currency) => JSON.parse(decimal(units, digitsOf[of])) as number
const roundedAway = (numerator: bigint, denominator: bigint) =>
  numerator < 0n
    ? -((-2n * numerator + denominator) / (2n * denominator))
    : (2n * numerator + denominator) / (2n * denominator)

const scaled = (max: bigint) => fc.bigInt({ min: 0n, max: max })
/** Amounts up to 10^12 in minor units of a currency. */
const amounts = currency.chain((of) =>
  fc
    .array(scaled(10n ** 12n * 10n ** BigInt(digitsOf[of])), { minLength: 1, maxLength: 9 })
    .map((units) => ({ of, units })),
)

test('a total is that of exact arithmetic, to the minor unit, over the whole range', () => {
  fc.assert(
    fc.property(amounts, ({ of, units }) => {
      const total = getTotal(
        units.map((each) => sent(each, of)),
        of,
      )
      assert.equal(
        total,
        sent(
          units.reduce((sum, each) => sum + each, 0n),
          of,
        ),
      )
    }),
    {
      numRuns: 500,
      examples: [[{ of: 'USD', units: [4n, 301557853424n] }], [{ of: 'USD', units: [446903423n] }]],
    },
  )
})

test('a discount and a quantity are computed exactly and rounded half away from zero once', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), ({ of, units: [unit = 0n] }, hundredths) => {
      const percent = hundredths / 100
      const less = roundedAway(unit * BigInt(10_000 - hundredths), 10_000n)
      assert.equal(lessPercent(sent(unit, of), percent, of), sent(less, of))
      assert.equal(lessPercent(-sent(unit, of), percent, of), 0 - sent(less, of))
    }),
    { numRuns: 500 },
  )
  assert.equal(lessPercent(0.05, 50, 'USD'), 0.03)
  assert.equal(lessPercent(-0.05, 50, 'USD'), -0.03)
  assert.equal(times(1.005, 3, 'USD'), 3.02)
  assert.equal(getTotal([1.005], 'USD'), 1.01)
})

test('shares are together the whole, differ by one unit at most, and the first is the nearest', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 48 }), ({ of, units: [unit = 0n] }, count) => {
      for (const sign of [1n, -1n]) {
        const parts = shares(sent(sign * unit, of), count, of)
        assert.equal(parts.length, count)
        assert.equal(getTotal(parts, of), sent(sign * unit, of))
        const inUnits = parts.map((part) => inMinorUnits(part, of))
        assert.ok(Math.max(...inUnits) - Math.min(...inUnits) <= 1)
        assert.equal(parts[0], sent(sign * roundedAway(unit, BigInt(count)), of))
      }
    }),
    { numRuns: 500 },
  )
  assert.deepEqual(shares(100, 3, 'USD'), [33.33, 33.34, 33.33])
  assert.deepEqual(shares(100, 3, 'JPY'), [33, 34, 33])
  assert.deepEqual(shares(0.005, 2, 'USD'), [0.003, 0.002])
  assert.deepEqual(shares(100, 0, 'USD'), [])
})

test('minor units are those of ISO 4217, back and forth', () => {
  for (const [amount, of, units] of [
    [1200.5, 'USD', 120050],
    [1200, 'JPY', 1200],
    [1.234, 'KWD', 1234],
    [1200.5, 'COP', 120050],
    [1200, 'HUF', 120000],
    [1.15, 'XYZ', 115],
  ] as const) {
    assert.equal(inMinorUnits(amount, of), units, of)
    assert.equal(ofMinorUnits(units, of), amount, of)
  }
})

test('an amount that a number cannot hold to the cent is refused, not altered', () => {
  assert.throws(() => getTotal([1e15, 0.01, 1e15], 'USD'), AmountError)
  assert.equal(getTotal([5e13, 0.01], 'USD'), 50000000000000.01)
  assert.throws(() => times(999_999_999_999.99, 99_999, 'USD'), AmountError)
})

test('lines balance only to the last digit', () => {
  const line = (debit: number, credit: number) => ({ debit, credit })
  assert.ok(isBalanced([line(0.1, 0), line(0.2, 0), line(0, 0.3)]))
  assert.ok(isBalanced([line(3015578534.28, 0), line(0, 3015578534.24), line(0, 0.04)]))
  assert.ok(!isBalanced([line(1e12, 0), line(0, 1e12), line(0.001, 0)]))
})

test('an amount is written to the minor unit of its currency', () => {
  assert.deepEqual(
    [
      amountText(1200.5, 'USD'),
      amountText(1200, 'JPY'),
      amountText(1.5, 'KWD'),
      amountText(1e12, 'USD'),
      amountText(0.005, 'USD'),
    ],
    ['1,200.50', '1,200', '1.500', '1,000,000,000,000.00', '0.005'],
  )
})

test('the currencies are those of the standard, each once, with the digits of its minor unit and the name of it', () => {
  const codes = currencies.map(({ code }) => code)
  assert.deepEqual(codes, [...new Set(codes)].sort())
  const fraction = (code: string) => findCurrency(code)?.fraction
  assert.deepEqual(['TND', 'RON', 'NGN', 'JPY', 'XCG'].map(fraction), ['Millime', 'Ban', 'Kobo', '', 'Cent'])
  for (const { code, units, fraction: name, format } of currencies) {
    const digits = Math.log10(units)
    assert.equal(name === '', digits === 0, code)
    assert.equal(/[.,](#*)$/.exec(format.replace(/^#[.,](##[.,])?###/, ''))?.[1]?.length ?? 0, digits, code)
  }
  assert.equal(inMinorUnits(1.2345, 'CLF'), 12_345)
  assert.equal(amountText(1250.75, 'HUF'), '1,250.75')
})

test('nothing but the console’s one formatter asks Intl how an amount is written', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const found = ['console/src', 'pages/src', 'server/src', 'mcp/src', 'sdk/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!test)\.tsx?$/.test(file))
      .filter((file) => /style: ["']currency["']/.test(readFileSync(join(root, folder, file), 'utf8')))
      .map((file) => join(folder, file)),
  )
  assert.deepEqual(found, ['console/src/records/money.ts'])
})

test('a currency is withdrawn from the day after its last', () => {
  const withdrawn = (code: string, day: string) => isWithdrawn(findCurrency(code) ?? assert.fail(code), day)
  assert.deepEqual(
    [withdrawn('BGN', '2025-12-31'), withdrawn('BGN', '2026-01-01'), withdrawn('EUR', '2999-01-01')],
    [false, true, false],
  )
  assert.equal(findCurrency('DEM'), null)
})

test('what is apportioned is the whole, and each part is its proportion rounded down or up', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 12n })
  const some = fc.tuple(currency, units, fc.array(units, { minLength: 1, maxLength: 8 }))
  fc.assert(
    fc.property(some, ([of, amount, weights]) => {
      const sum = weights.reduce((total, weight) => total + weight, 0n)
      fc.pre(sum > 0n)
      const parts = apportion(
        sent(amount, of),
        weights.map((weight) => sent(weight, of)),
        of,
      ).map((part) => BigInt(inMinorUnits(part, of)))
      assert.equal(
        parts.reduce((total, part) => total + part, 0n),
        amount,
      )
      for (const [index, weight] of weights.entries()) {
        const floor = (amount * weight) / sum
        const isWhole = (amount * weight) % sum === 0n
        assert.ok(parts[index] === floor || (!isWhole && parts[index] === floor + 1n))
      }
    }),
  )
  assert.deepEqual(apportion(100, [0, 0, 0], 'USD'), [33.33, 33.34, 33.33])
  assert.deepEqual(apportion(-10, [1, 2], 'USD'), [-3.33, -6.67])
})
