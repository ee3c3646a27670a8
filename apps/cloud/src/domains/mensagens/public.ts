// The names that other domains may use of `mensagens`.

export { enqueueQueda, type QuedaNotice } from './notificacoes/enqueue.ts'
export { enqueueAviso } from './notificacoes/enqueue-aviso.ts'
export { enqueueWaits } from './notificacoes/enqueue-wait.ts'
export { enqueueVerdict } from './notificacoes/report-evento.ts'
export { requestOpening } from './portoes/request-opening.ts'
export { enqueuePush } from './push/enqueue-push.ts'
