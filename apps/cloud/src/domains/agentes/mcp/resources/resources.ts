import type { Resource } from '../resource.ts'
import { cameraResource } from './camera.ts'
import { eventoResource } from './evento.ts'

export const resources: readonly Resource[] = [cameraResource, eventoResource]
