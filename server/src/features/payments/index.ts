export { overdueJob } from './overdue.ts'
export { paymentRoutes } from './payment-routes.ts'
