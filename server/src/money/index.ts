export { currencies, findCurrency, isWithdrawn } from './currencies.ts'
export {
  AmountError,
  amountText,
  apportion,
  getTotal,
  inMinorUnits,
  isBalanced,
  isFinerThanMinorUnit,
  lessPercent,
  ofMinorUnits,
  shares,
  subtract,
  sumExactly,
  takePercent,
  times,
  wholeAndRest,
} from './money.ts'
