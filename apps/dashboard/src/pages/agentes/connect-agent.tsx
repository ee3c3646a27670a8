import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { VigiaError } from '@vigia/contracts/errors'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enderecoAgentesQuery } from '../../api/agentes-queries.ts'
import { useServices } from '../../session/services.ts'
import { copyElement } from '../../ui/copy-element.ts'
import { CentredRow } from '../../ui/layout.tsx'
import { Soft } from '../../ui/page.tsx'
import classes from './agentes-page.module.css'

/** The MCP address for an agent, and the steps that follow. */
export function ConnectAgent() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data: address, error } = useQuery(enderecoAgentesQuery(api))
  return (
    <section className={classes.connect} aria-labelledby="conectar-agente">
      <h2 id="conectar-agente">{t('agentes.conectar.titulo')}</h2>
      <p>{t('agentes.conectar.texto')}</p>
      {address !== undefined && <Address address={address} />}
      {address === undefined && !error && <Skeleton height={42} width={320} maw="100%" />}
      {address === undefined && error && (
        <p role="alert" className={classes.warning}>
          <IconAlertTriangle size={20} aria-hidden="true" />
          <span>
            {t('agentes.conectar.semEndereco', {
              motivo: error instanceof VigiaError ? error.detalhe : t('painel.falhou'),
            })}
          </span>
        </p>
      )}
      <ol className={classes.steps}>
        <li>{t('agentes.conectar.passoAdicionar')}</li>
        <li>{t('agentes.conectar.passoEntrar')}</li>
      </ol>
      {address?.startsWith('http:') && (
        <p className={classes.warning}>
          <IconAlertTriangle size={20} aria-hidden="true" />
          <span>{t('agentes.conectar.semHttps')}</span>
        </p>
      )}
    </section>
  )
}

function Address({ address }: { address: string }) {
  const { t } = useTranslation()
  const output = useRef<HTMLOutputElement>(null)
  const [copied, setCopied] = useState<boolean | null>(null)
  return (
    <CentredRow>
      <output ref={output} className={classes.address} aria-label={t('agentes.conectar.rotulo')} translate="no">
        {address}
      </output>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} />}
        onClick={() => output.current && void copyElement(output.current).then(setCopied)}
      >
        {t('agentes.conectar.copiar')}
      </Button>
      <Soft role="status">
        {copied !== null && t(copied ? 'agentes.conectar.copiado' : 'agentes.conectar.selecionado')}
      </Soft>
    </CentredRow>
  )
}
