export { default as AddPicked } from './add-picked.tsx'
export { default as Group } from './group.tsx'
export { default as Promotion } from './promotion.tsx'
