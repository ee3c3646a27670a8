import { Alert, Button, Loader, NativeSelect } from '@mantine/core'
import { IconRadar2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Edge } from '@vigia/contracts/edges'
import { VigiaError } from '@vigia/contracts/errors'
import { fabricantes } from '@vigia/contracts/fabricantes'
import { type AlcanceVarredura, type Equipamento, equipamentoSchema } from '@vigia/contracts/varredura'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { alcanceVarreduraQuery } from '../../../api/device-queries.ts'
import { useServices } from '../../../session/services.ts'
import { CardSoft } from '../../../ui/card.tsx'
import classes from './network-scan.module.css'

export interface NetworkScanProps {
  /** Edges that may scan, at least one. */
  readonly edges: readonly Edge[]
  readonly onChoose: (equipamento: Equipamento, edgeId: number) => void
}

/** Shows what an edge would scan, scans after a confirmation, and offers the devices found. */
export function NetworkScan({ edges, onChoose }: NetworkScanProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const heading = useId()
  const [asked, setAsked] = useState(false)
  const [edgeId, setEdgeId] = useState(edges[0]?.id ?? 0)
  const scope = useQuery({ ...alcanceVarreduraQuery(api, edgeId), enabled: asked })
  const scan = useMutation({
    mutationFn: () => api.send('POST', `/edges/${edgeId}/varredura`, undefined, equipamentoSchema.array()),
  })
  const error = scan.error ?? scope.error
  if (!asked)
    return (
      <Button variant="default" leftSection={<IconRadar2 size={18} />} onClick={() => setAsked(true)}>
        {t('gravadores.varredura.abrir')}
      </Button>
    )
  return (
    <section className={classes.scan} aria-labelledby={heading}>
      <h2 id={heading}>{t('gravadores.varredura.titulo')}</h2>
      {edges.length > 1 && (
        <NativeSelect
          label={t('gravadores.caixa')}
          value={String(edgeId)}
          onChange={({ currentTarget: { value } }) => {
            setEdgeId(Number(value))
            scan.reset()
          }}
          data={edges.map(({ id, nome }) => ({ value: String(id), label: nome }))}
        />
      )}
      {error && (
        <Alert color="red" variant="light" role="alert">
          {error instanceof VigiaError ? error.detalhe : t('painel.falhou')}
        </Alert>
      )}
      {scope.data && !scan.data && <Scope alcance={scope.data} />}
      {(scope.isFetching || scan.isPending) && (
        <p role="status">
          <Loader size={16} aria-hidden="true" />{' '}
          {t(scan.isPending ? 'gravadores.varredura.procurando' : 'gravadores.varredura.perguntando')}
        </p>
      )}
      {scan.data && <Devices found={scan.data} onChoose={(one) => onChoose(one, edgeId)} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setAsked(false)}>
          {t('comum.fechar')}
        </Button>
        {scope.data && scope.data.redes.length > 0 && (
          <Button loading={scan.isPending} onClick={() => scan.mutate()}>
            {t(scan.data ? 'gravadores.varredura.outraVez' : 'gravadores.varredura.comecar')}
          </Button>
        )}
      </div>
    </section>
  )
}

function Scope({ alcance: { redes, portas } }: { alcance: AlcanceVarredura }) {
  const { t } = useTranslation()
  if (redes.length === 0) return <p>{t('gravadores.varredura.semRede')}</p>
  return (
    <>
      <p>{t('gravadores.varredura.oQue')}</p>
      <ul className={classes.networks}>
        {redes.map(({ rede, enderecos }) => (
          <li key={rede}>{t('gravadores.varredura.rede', { rede, count: enderecos })}</li>
        ))}
      </ul>
      <p>{t('gravadores.varredura.portas', { portas: portas.join(', ') })}</p>
      <p>{t('gravadores.varredura.semSenha')}</p>
    </>
  )
}

function Devices({ found, onChoose }: { found: readonly Equipamento[]; onChoose: (one: Equipamento) => void }) {
  const { t } = useTranslation()
  if (found.length === 0) return <p role="status">{t('gravadores.varredura.nenhum')}</p>
  return (
    <>
      <p role="status">{t('gravadores.varredura.achados', { count: found.length })}</p>
      <ul className={classes.devices}>
        {found.map((one) => (
          <li key={one.host}>
            <div>
              <strong>{one.modelo ?? t('gravadores.varredura.semModelo')}</strong>
              <CardSoft>
                {[
                  one.host,
                  one.fabricante ? fabricantes[one.fabricante].titulo : t('gravadores.varredura.semFabricante'),
                  one.onvif !== null && 'ONVIF',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </CardSoft>
            </div>
            <Button
              variant="default"
              aria-label={t('gravadores.varredura.usarRotulo', { host: one.host })}
              onClick={() => onChoose(one)}
            >
              {t('gravadores.varredura.usar')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
