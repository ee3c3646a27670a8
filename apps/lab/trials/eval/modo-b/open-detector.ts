import { createModelRunner, type ModelRunner } from '@vigia/vision/model-runner'

/** The product's detector of vehicles. Rejects when it cannot be loaded. */
export async function openDetector(): Promise<ModelRunner> {
  const loaded = Promise.withResolvers<void>()
  const runner = createModelRunner({
    folder: null,
    onChange() {
      const [state] = runner.states()
      if (state?.estado === 'pronto') loaded.resolve()
      if (state?.estado === 'indisponivel') loaded.reject(new Error(state.motivo ?? 'no detector'))
    },
    onBroken: loaded.reject,
  })
  runner.need(new Set(['objetos'] as const))
  await loaded.promise
  return runner
}
