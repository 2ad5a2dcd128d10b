import { minorDigits } from '@matricula/contract/amounts'

/** The days on which a currency is one of the standard, `YYYY-MM-DD`, both included; none: before and after all that is recorded. */
interface Validity {
  readonly from?: string
  readonly until?: string
}

/**
 * The currencies and funds of ISO 4217 that amounts can be in: code, symbol, the name of the smallest unit, how amounts are written, and
 * from and until which day the standard has it, by its amendments (170 VED, 176 XCG and ANG, 177 ZWG and ZWL, 179 XAD, 180 BGN). Of
 * those that were withdrawn there are the ones in which institutions may have records. Metals, bond units and codes of no currency
 * are not among them.
 */
const declared: readonly (readonly [
  code: string,
  symbol: string,
  fraction: string,
  format: string,
  validity?: Validity,
])[] = [
  ['AED', 'AED', 'Fils', '#,###.##'],
  ['AFN', '؋', 'Pul', '#,###.##'],
  ['ALL', 'ALL', 'Qindarka', '#,###.##'],
  ['AMD', '֏', 'Luma', '#,###.##'],
  ['ANG', 'ANG', 'Cent', '#,###.##', { until: '2025-06-30' }],
  ['AOA', 'Kz', 'Cêntimo', '#,###.##'],
  ['ARS', '$', 'Centavo', '#.###,##'],
  ['AUD', '$', 'Cent', '#,###.##'],
  ['AWG', 'AWG', 'Cent', '#,###.##'],
  ['AZN', '₼', 'Qəpik', '#,###.##'],
  ['BAM', 'KM', 'Fening', '#,###.##'],
  ['BBD', '$', 'Cent', '#,###.##'],
  ['BDT', '৳', 'Paisa', '#,##,###.##'],
  ['BGN', 'BGN', 'Stotinka', '#,###.##', { until: '2025-12-31' }],
  ['BHD', 'BHD', 'Fils', '#,###.###'],
  ['BIF', 'BIF', '', '#,###'],
  ['BMD', '$', 'Cent', '#,###.##'],
  ['BND', '$', 'Cent', '#,###.##'],
  ['BOB', 'Bs', 'Centavo', '#,###.##'],
  ['BOV', 'BOV', 'Hundredth', '#,###.##'],
  ['BRL', 'R$', 'Centavo', '#.###,##'],
  ['BSD', '$', 'Cent', '#,###.##'],
  ['BTN', 'BTN', 'Chhertum', '#,###.##'],
  ['BWP', 'P', 'Thebe', '#,###.##'],
  ['BYN', 'BYN', 'Kopeck', '#,###.##'],
  ['BZD', '$', 'Cent', '#,###.##'],
  ['CAD', '$', 'Cent', '#,###.##'],
  ['CDF', 'CDF', 'Centime', '#,###.##'],
  ['CHE', 'CHE', 'Hundredth', '#,###.##'],
  ['CHF', 'CHF', 'Rappen', '#,###.##'],
  ['CHW', 'CHW', 'Hundredth', '#,###.##'],
  ['CLF', 'UF', 'Ten-Thousandth', '#,###.####'],
  ['CLP', '$', '', '#,###'],
  ['CNY', '¥', 'Fen', '#,###.##'],
  ['COP', '$', 'Centavo', '#,###.##'],
  ['COU', 'COU', 'Hundredth', '#,###.##'],
  ['CRC', '₡', 'Céntimo', '#,###.##'],
  ['CUP', '$', 'Centavo', '#,###.##'],
  ['CVE', 'CVE', 'Centavo', '#,###.##'],
  ['CZK', 'Kč', 'Haléř', '#,###.##'],
  ['DJF', 'DJF', '', '#,###'],
  ['DKK', 'kr', 'Øre', '#.###,##'],
  ['DOP', '$', 'Centavo', '#,###.##'],
  ['DZD', 'DZD', 'Centime', '#,###.##'],
  ['EGP', 'E£', 'Piastre', '#,###.##'],
  ['ERN', 'ERN', 'Cent', '#,###.##'],
  ['ETB', 'ETB', 'Santim', '#,###.##'],
  ['EUR', '€', 'Cent', '#.###,##'],
  ['FJD', '$', 'Cent', '#,###.##'],
  ['FKP', '£', 'Penny', '#,###.##'],
  ['GBP', '£', 'Penny', '#,###.##'],
  ['GEL', '₾', 'Tetri', '#,###.##'],
  ['GHS', 'GH₵', 'Pesewa', '#,###.##'],
  ['GIP', '£', 'Penny', '#,###.##'],
  ['GMD', 'GMD', 'Butut', '#,###.##'],
  ['GNF', 'FG', '', '#,###'],
  ['GTQ', 'Q', 'Centavo', '#,###.##'],
  ['GYD', '$', 'Cent', '#,###.##'],
  ['HKD', '$', 'Cent', '#,###.##'],
  ['HNL', 'L', 'Centavo', '#,###.##'],
  ['HTG', 'HTG', 'Centime', '#,###.##'],
  ['HUF', 'Ft', 'Fillér', '#,###.##'],
  ['IDR', 'Rp', 'Sen', '#,###.##'],
  ['ILS', '₪', 'Agora', '#,###.##'],
  ['INR', '₹', 'Paisa', '#,##,###.##'],
  ['IQD', 'IQD', 'Fils', '#,###.###'],
  ['IRR', 'IRR', 'Dinar', '#,###.##'],
  ['ISK', 'kr', '', '#,###'],
  ['JMD', '$', 'Cent', '#,###.##'],
  ['JOD', 'JOD', 'Fils', '#,###.###'],
  ['JPY', '¥', '', '#,###'],
  ['KES', 'KES', 'Cent', '#,###.##'],
  ['KGS', '⃀', 'Tyiyn', '#,###.##'],
  ['KHR', '៛', 'Sen', '#,###.##'],
  ['KMF', 'CF', '', '#,###'],
  ['KPW', '₩', 'Chon', '#,###.##'],
  ['KRW', '₩', '', '#,###'],
  ['KWD', 'KWD', 'Fils', '#,###.###'],
  ['KYD', '$', 'Cent', '#,###.##'],
  ['KZT', '₸', 'Tiyn', '#,###.##'],
  ['LAK', '₭', 'Att', '#,###.##'],
  ['LBP', 'L£', 'Piastre', '#,###.##'],
  ['LKR', 'Rs', 'Cent', '#,##,###.##'],
  ['LRD', '$', 'Cent', '#,###.##'],
  ['LSL', 'LSL', 'Sente', '#,###.##'],
  ['LYD', 'LYD', 'Dirham', '#,###.###'],
  ['MAD', 'MAD', 'Centime', '#,###.##'],
  ['MDL', 'MDL', 'Ban', '#,###.##'],
  ['MGA', 'Ar', 'Centime', '#,###.##'],
  ['MKD', 'MKD', 'Deni', '#,###.##'],
  ['MMK', 'K', 'Pya', '#,###.##'],
  ['MNT', '₮', 'Möngö', '#,###.##'],
  ['MOP', 'MOP', 'Avo', '#,###.##'],
  ['MRU', 'MRU', 'Cent', '#,###.##'],
  ['MUR', 'Rs', 'Cent', '#,###.##'],
  ['MVR', 'MVR', 'Laari', '#,###.##'],
  ['MWK', 'MWK', 'Tambala', '#,###.##'],
  ['MXN', '$', 'Centavo', '#,###.##'],
  ['MXV', 'MXV', 'Hundredth', '#,###.##'],
  ['MYR', 'RM', 'Sen', '#,###.##'],
  ['MZN', 'MZN', 'Centavo', '#,###.##'],
  ['NAD', '$', 'Cent', '#,###.##'],
  ['NGN', '₦', 'Kobo', '#,###.##'],
  ['NIO', 'C$', 'Centavo', '#,###.##'],
  ['NOK', 'kr', 'Øre', '#,###.##'],
  ['NPR', 'Rs', 'Paisa', '#,##,###.##'],
  ['NZD', '$', 'Cent', '#,###.##'],
  ['OMR', 'OMR', 'Baisa', '#,###.###'],
  ['PAB', 'PAB', 'Centésimo', '#,###.##'],
  ['PEN', 'PEN', 'Céntimo', '#,###.##'],
  ['PGK', 'PGK', 'Toea', '#,###.##'],
  ['PHP', '₱', 'Centavo', '#,###.##'],
  ['PKR', 'Rs', 'Paisa', '#,##,###.##'],
  ['PLN', 'zł', 'Grosz', '#,###.##'],
  ['PYG', '₲', '', '#,###'],
  ['QAR', 'QAR', 'Dirham', '#,###.##'],
  ['RON', 'lei', 'Ban', '#,###.##'],
  ['RSD', 'RSD', 'Para', '#,###.##'],
  ['RUB', '₽', 'Kopek', '#,###.##'],
  ['RWF', 'RF', '', '#,###'],
  ['SAR', 'SAR', 'Halala', '#,###.##'],
  ['SBD', '$', 'Cent', '#,###.##'],
  ['SCR', 'SCR', 'Cent', '#,###.##'],
  ['SDG', 'SDG', 'Piastre', '#,###.##'],
  ['SEK', 'kr', 'Öre', '#,###.##'],
  ['SGD', '$', 'Cent', '#,###.##'],
  ['SHP', '£', 'Penny', '#,###.##'],
  ['SLE', 'SLE', 'Cent', '#,###.##'],
  ['SOS', 'SOS', 'Senti', '#,###.##'],
  ['SRD', '$', 'Cent', '#,###.##'],
  ['SSP', '£', 'Piastre', '#,###.##'],
  ['STN', 'Db', 'Cêntimo', '#,###.##'],
  ['SVC', 'SVC', 'Centavo', '#,###.##'],
  ['SYP', '£', 'Piastre', '#,###.##'],
  ['SZL', 'SZL', 'Cent', '#,###.##'],
  ['THB', '฿', 'Satang', '#,###.##'],
  ['TJS', 'TJS', 'Diram', '#,###.##'],
  ['TMT', 'TMT', 'Tenge', '#,###.##'],
  ['TND', 'TND', 'Millime', '#,###.###'],
  ['TOP', 'T$', 'Seniti', '#,###.##'],
  ['TRY', '₺', 'Kuruş', '#.###,##'],
  ['TTD', '$', 'Cent', '#,###.##'],
  ['TWD', '$', 'Cent', '#,###.##'],
  ['TZS', 'TZS', 'Cent', '#,###.##'],
  ['UAH', '₴', 'Kopiyka', '#,###.##'],
  ['UGX', 'UGX', '', '#,###'],
  ['USD', '$', 'Cent', '#,###.##'],
  ['USN', 'USN', 'Cent', '#,###.##'],
  ['UYI', 'UYI', '', '#,###'],
  ['UYU', '$', 'Centésimo', '#,###.##'],
  ['UYW', 'UYW', 'Ten-Thousandth', '#,###.####'],
  ['UZS', 'UZS', 'Tiyin', '#,###.##'],
  ['VED', 'Bs.', 'Céntimo', '#,###.##', { from: '2021-10-01' }],
  ['VES', 'VES', 'Céntimo', '#,###.##'],
  ['VND', '₫', '', '#,###'],
  ['VUV', 'VUV', '', '#,###'],
  ['WST', 'WST', 'Sene', '#,###.##'],
  ['XAD', 'XAD', 'Hundredth', '#,###.##', { from: '2025-05-12' }],
  ['XAF', 'FCFA', '', '#,###'],
  ['XCD', '$', 'Cent', '#,###.##'],
  ['XCG', 'Cg', 'Cent', '#,###.##', { from: '2025-03-31' }],
  ['XOF', 'F CFA', '', '#,###'],
  ['XPF', 'CFPF', '', '#,###'],
  ['YER', 'YER', 'Fils', '#,###.##'],
  ['ZAR', 'R', 'Cent', '#,###.##'],
  ['ZMW', 'ZK', 'Ngwee', '#,###.##'],
  ['ZWG', 'ZiG', 'Cent', '#,###.##', { from: '2024-06-25' }],
  ['ZWL', 'ZWL', 'Cent', '#,###.##', { until: '2024-08-31' }],
]

/** A currency as records of the type Currency have it. */
export interface Currency {
  readonly code: string
  readonly symbol: string
  /** How many of the smallest unit are one: a power of ten. */
  readonly units: number
  /** The name of the smallest unit; empty where there is none. */
  readonly fraction: string
  /** How amounts are written, such as `#,###.##`. */
  readonly format: string
  readonly from: string | null
  readonly until: string | null
}

/** Every declared currency, by code. */
export const currencies: readonly Currency[] = declared.map(([code, symbol, fraction, format, validity]) => ({
  code,
  symbol,
  units: 10 ** minorDigits(code),
  fraction,
  format,
  from: validity?.from ?? null,
  until: validity?.until ?? null,
}))

/** The declared currency of a code, or null. */
export function findCurrency(code: string): Currency | null {
  return currencies.find((currency) => currency.code === code) ?? null
}

/** Whether the standard no longer has a currency on a day, `YYYY-MM-DD`. */
export function isWithdrawn({ until }: Pick<Currency, 'until'>, day: string): boolean {
  return until !== null && until < day
}
