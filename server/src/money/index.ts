export { currencies, findCurrency, isWithdrawn } from './currencies.ts'
export {
  AmountError,
  amountText,
  inMinorUnits,
  isBalanced,
  lessPercent,
  ofMinorUnits,
  shares,
  times,
  totalOf,
  wholeAndRest,
} from './money.ts'
