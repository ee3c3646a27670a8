import type { Prompt } from '../prompt.ts'
import { falseAlarms } from './false-alarms.ts'
import { planCalibration } from './plan-calibration.ts'
import { shiftReport } from './shift-report.ts'

export const prompts: readonly Prompt[] = [shiftReport, falseAlarms, planCalibration]
