/**
 * The currencies and funds of ISO 4217 whose minor unit is not a hundredth, by how many digits it has behind the point.
 */
const unusual: Readonly<Record<number, readonly string[]>> = {
  0: [
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'UYI',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ],
  3: ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'],
  4: ['CLF', 'UYW'],
}

const digitsOf = new Map(
  Object.entries(unusual).flatMap(([digits, codes]) => codes.map((code) => [code, Number(digits)] as const)),
)

/**
 * How many digits the minor unit of a currency has behind the point (ISO 4217), from 0 to 4; 2 for what is no currency.
 * Those of `Intl` are the digits that shops use (CLDR), and change with the version of the runtime.
 */
export function minorDigits(currency: string): number {
  return digitsOf.get(currency) ?? 2
}

/** The fields by which a record names the currency of its amounts, where it has one: the first that its type has. */
export const currencyFields = ['currency', 'account_currency', 'default_currency'] as const
