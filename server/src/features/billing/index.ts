export { billingMethods } from './billing-methods.ts'
export { CardGateway } from './card-gateway.ts'
export { cardPaymentsJob } from './card-payments-job.ts'
export { addCardWebhook } from './card-webhook.ts'
