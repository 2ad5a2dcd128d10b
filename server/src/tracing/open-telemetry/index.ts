export { startOpenTelemetry } from './open-telemetry.ts'
