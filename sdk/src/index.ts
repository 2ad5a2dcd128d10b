export type {
  Answer,
  Call,
  CallerSettings,
  CallOptions,
  DataOf,
  Input,
  InputOf,
  OperationId,
  QueryOf,
  WriteOptions,
} from './caller.ts'
export type { Change, Changes, DeletedRecord } from './changes.ts'
export { type Client, createClient, type RecordOf, type SweptResource } from './client.ts'
export type { Event, EventFeed, FeedOptions } from './feed.ts'
export type { EventType } from './generated/declarations.ts'
export type { components } from './generated/openapi.ts'
export { type MirroredChange, type MirrorOptions, type MirrorState, type MirrorStore, mirror } from './mirror.ts'
export type { Page, Pages } from './pages.ts'
export { NoAnswer, Problem, type ProblemCode, type ProblemDocument } from './problem.ts'
export { type Repetition, SteadySender, type SteadySettings } from './steady-sender.ts'
export type { Upload, UploadOptions } from './upload.ts'
export { verifyWebhook, type WebhookMessage, type WebhookOptions, WebhookRefused } from './webhook.ts'
