export { currencies, findCurrency, isWithdrawn } from './currencies.ts'
export {
  AmountError,
  amountText,
  getTotal,
  inMinorUnits,
  isBalanced,
  lessPercent,
  ofMinorUnits,
  shares,
  times,
  wholeAndRest,
} from './money.ts'
