export { default as Account } from './account.tsx'
export { default as FeeDesk } from './fee-desk.tsx'
export { default as Payments } from './payments.tsx'
