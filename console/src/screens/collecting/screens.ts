export { default as Bank } from './bank.tsx'
export { default as Debits } from './debits.tsx'
export { default as Outstanding } from './outstanding.tsx'
export { default as Reminders } from './reminders.tsx'
