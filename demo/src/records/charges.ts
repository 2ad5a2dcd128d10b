import { lessPercent, times } from '@matricula/server/money/index'
import type { ProgramKind } from '../catalogue/index.ts'

/** Something that students are charged for. */
export interface Charge {
  readonly name: string
  /** In parts of a month's tuition. */
  readonly price: number
}

/** Charges that come every month of school, tuition first. */
export const monthlyCharges: Readonly<Record<ProgramKind, readonly Charge[]>> = {
  school: [
    { name: 'Tuition', price: 1 },
    { name: 'School transport', price: 0.22 },
    { name: 'Lunches', price: 0.18 },
    { name: 'After-school club', price: 0.12 },
  ],
  vocational: [
    { name: 'Tuition', price: 1 },
    { name: 'Student transport pass', price: 0.1 },
    { name: 'Workshop materials', price: 0.16 },
    { name: 'Tool hire', price: 0.08 },
  ],
  university: [
    { name: 'Tuition', price: 1 },
    { name: 'Campus shuttle', price: 0.06 },
    { name: 'Student residence', price: 0.65 },
    { name: 'Campus meals', price: 0.2 },
  ],
}

/** Charges that come now and then. */
export const singleCharges: Readonly<Record<ProgramKind, readonly Charge[]>> = {
  school: [
    { name: 'Books and materials', price: 0.55 },
    { name: 'School uniform', price: 0.3 },
    { name: 'Field trip', price: 0.14 },
    { name: 'Swimming course', price: 0.2 },
    { name: 'Accident insurance', price: 0.12 },
  ],
  vocational: [
    { name: 'Protective equipment', price: 0.35 },
    { name: 'Certification exam', price: 0.6 },
    { name: 'Accident insurance', price: 0.12 },
    { name: 'Books and materials', price: 0.4 },
  ],
  university: [
    { name: 'Laboratory fee', price: 0.35 },
    { name: 'Examination fee', price: 0.25 },
    { name: 'Library fee', price: 0.08 },
    { name: 'Student card', price: 0.03 },
    { name: 'Language certificate', price: 0.4 },
  ],
}

/** The charge with which every academic year begins. */
export const enrolmentFee: Charge = { name: 'Enrolment fee', price: 1.2 }

/** For those who had left before they were billed. */
export const diplomaFee: Charge = { name: 'Diploma and transcript', price: 0.3 }

/** Roughly what a US dollar's worth of school costs in a currency; 1 for those that are not listed. */
const priceLevels: Readonly<Record<string, number>> = {
  AED: 3.7,
  ARS: 1000,
  AUD: 1.5,
  BOB: 7,
  BRL: 5,
  CAD: 1.4,
  CHF: 0.9,
  CLP: 950,
  CNY: 7,
  COP: 4000,
  CRC: 510,
  CZK: 23,
  DKK: 7,
  DOP: 60,
  EGP: 50,
  GTQ: 7.7,
  HNL: 25,
  HUF: 360,
  IDR: 16_000,
  INR: 85,
  JPY: 150,
  KES: 130,
  KRW: 1400,
  MXN: 18,
  NGN: 1500,
  NIO: 37,
  NOK: 11,
  PEN: 3.7,
  PHP: 57,
  PKR: 280,
  PLN: 4,
  PYG: 7500,
  RON: 4.6,
  RUB: 90,
  SEK: 10,
  THB: 34,
  TRY: 34,
  TZS: 2600,
  UAH: 41,
  UGX: 3700,
  UYU: 42,
  VND: 25_000,
  ZAR: 18,
}

/** A round price in a currency, with a discount in percent taken off. */
export function getAmount(dollars: number, currency: string, discount: number): number {
  const price = dollars * (priceLevels[currency] ?? 1)
  const step = price < 100 ? 0.5 : price < 2000 ? 5 : price < 20_000 ? 50 : 10 ** Math.floor(Math.log10(price) - 2)
  return lessPercent(times(step, Math.max(Math.round(price / step), 1), currency), discount, currency)
}
