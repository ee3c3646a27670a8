import type { CameraTask } from '@vigia/analysis/model'

/** The task of a camera before the time is known, as a wrong clock must not disarm it, and during a walk test. */
export const armedTask = (task: CameraTask): CameraTask => ({
  ...task,
  analises: task.analises.map((analise) => ({ ...analise, agenda: null })),
})
