export { S3Bucket } from './s3-bucket.ts'
