import { scoredJudge } from '../judging.ts'

export const judge = scoredJudge()
