export { judgeFire as judge } from '../fire-judge.ts'
