import { NativeSelect, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ModoBConfig } from '@vigia/contracts/cameras'
import { CONF_PORTAO } from '@vigia/contracts/portao'
import { useTranslation } from 'react-i18next'
import { canaisQuery } from '../../../api/canais-queries.ts'
import { useServices } from '../../../session/services.ts'
import { Soft } from '../../../ui/page.tsx'

interface GateFieldsProps {
  /** Empresa of the camera. */
  readonly empresaId: number
  readonly portao: ModoBConfig['portao']
  readonly onChange: (portao: ModoBConfig['portao']) => void
}

/** Whether the camera opens a gate for allowed plates, and through which canal. */
export function GateFields({ empresaId, portao, onChange }: GateFieldsProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data = [] } = useQuery(canaisQuery(api, empresaId))
  const canais = data.filter(
    ({ empresa_id, tipo, ativo }) => empresa_id === empresaId && ativo && (tipo === 'webhook' || tipo === 'mqtt'),
  )
  const [first] = canais
  return (
    <>
      <Switch
        label={t('placas.portao.ativo')}
        checked={portao !== null}
        disabled={portao === null && first === undefined}
        onChange={(event) =>
          onChange(event.currentTarget.checked && first ? { canal_id: first.id, conf: CONF_PORTAO } : null)
        }
      />
      {first === undefined && (
        <Soft>
          {t('placas.portao.semCanal')} <Link to="/canais">{t('placas.portao.canais')}</Link>
        </Soft>
      )}
      {portao !== null && (
        <>
          <NativeSelect
            label={t('placas.portao.canal')}
            value={String(portao.canal_id)}
            data={canais.map(({ id, nome, destino }) => ({ value: String(id), label: nome ?? destino ?? String(id) }))}
            onChange={(event) => onChange({ ...portao, canal_id: Number(event.currentTarget.value) })}
          />
          <p role="note">
            <strong>{t('placas.portao.aviso')}.</strong> {t('placas.portao.avisoTexto')}
          </p>
        </>
      )}
    </>
  )
}
