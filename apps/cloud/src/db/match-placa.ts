import { type ModoBConfig, modoBConfigSchema } from '@vigia/contracts/cameras'
import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import type { Database } from './open.ts'

/** Mode B by camera; a camera without it is absent. */
export async function readConfigs(tx: Database, cameraIds: readonly number[]): Promise<Map<number, ModoBConfig>> {
  if (cameraIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('cameras')
    .select(['id', 'modo_b_config_json'])
    .where('id', 'in', cameraIds)
    .execute()
  return new Map(
    rows.flatMap(({ id, modo_b_config_json }): [number, ModoBConfig][] => {
      const config = modoBConfigSchema.safeParse(JSON.parse(modo_b_config_json ?? 'null'))
      return config.success ? [[id, config.data]] : []
    }),
  )
}

/** By the lists of the Empresa and of the camera; a block in either counts. Expired entries do not count. */
export async function matchPlate(
  tx: Database,
  empresaId: number,
  placa: string | null,
  config: ModoBConfig | null,
  now: number,
): Promise<SituacaoPlaca | null> {
  if (placa === null) return null
  const listed = await tx
    .selectFrom('placas')
    .select('lista')
    .where('empresa_id', '=', empresaId)
    .where('placa', '=', placa)
    .where((eb) => eb.or([eb('validade', 'is', null), eb('validade', '>', now)]))
    .executeTakeFirst()
  if (listed?.lista === 'bloqueada' || config?.bloqueadas.includes(placa)) return 'bloqueada'
  if (listed?.lista === 'permitida' || config?.permitidas.includes(placa)) return 'permitida'
  return 'desconhecida'
}
