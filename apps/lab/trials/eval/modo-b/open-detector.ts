import { createSight, type Sight } from '@vigia/vision/model-runner'

/** The product's detector of vehicles. Rejects when it cannot be loaded. */
export async function openDetector(): Promise<Sight> {
  const loaded = Promise.withResolvers<void>()
  const sight = createSight({
    folder: null,
    onChange() {
      const [state] = sight.states()
      if (state?.estado === 'pronto') loaded.resolve()
      if (state?.estado === 'indisponivel') loaded.reject(new Error(state.motivo ?? 'no detector'))
    },
    onBroken: loaded.reject,
  })
  sight.need(new Set(['objetos'] as const))
  await loaded.promise
  return sight
}
