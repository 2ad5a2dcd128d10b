export { currencies, findCurrency, isWithdrawn } from './currencies.ts'
export {
  AmountError,
  amountText,
  apportion,
  getTotal,
  inMinorUnits,
  isBalanced,
  lessPercent,
  ofMinorUnits,
  shares,
  times,
  wholeAndRest,
} from './money.ts'
