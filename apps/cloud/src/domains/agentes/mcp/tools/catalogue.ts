import type { Tool } from '../tool.ts'
import { accountTools } from './account.ts'
import { queryAgreement } from './agreement.ts'
import { queryAudit } from './audit.ts'
import { search } from './busca.ts'
import { calibrationTools } from './calibration.ts'
import { cameraChangeTools } from './camera-changes.ts'
import { cameraTools } from './cameras.ts'
import { changeCalibration } from './change-calibration.ts'
import { edgeTools } from './edges.ts'
import { eventTools } from './eventos.ts'
import { fetchRecording } from './gravacoes.ts'
import { gravadorSetupTools } from './gravador-setup.ts'
import { gravadorTools } from './gravadores.ts'
import { incidenteTools } from './incidentes.ts'
import { queryMetrics } from './metrics.ts'
import { notificationChangeTools } from './notification-changes.ts'
import { notificationTools } from './notifications.ts'
import { queryPlates } from './passagens.ts'
import { pendingWorkTools } from './pending-work.ts'
import { quedaTools } from './quedas.ts'
import { queryReport } from './report.ts'
import { summarizePeriod } from './resumo.ts'
import { scheduleAndZoneTools } from './schedule-and-zones.ts'
import { queryTimeline } from './timeline.ts'
import { toolsWithEffect } from './with-effect.ts'

/** All tools, in the order of the list. No tool calls a DELETE or handles usuarios and passwords of logins. */
export const tools: readonly Tool[] = [
  ...accountTools,
  ...cameraTools,
  summarizePeriod,
  ...eventTools,
  ...incidenteTools,
  search,
  queryPlates,
  queryMetrics,
  queryReport,
  queryAgreement,
  queryTimeline,
  ...cameraChangeTools,
  ...calibrationTools,
  changeCalibration,
  ...scheduleAndZoneTools,
  ...gravadorTools,
  ...gravadorSetupTools,
  fetchRecording,
  ...notificationTools,
  ...notificationChangeTools,
  ...edgeTools,
  ...toolsWithEffect,
  ...quedaTools,
  ...pendingWorkTools,
  queryAudit,
]
