import { Alert, Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enderecoAgentesQuery } from '../../../api/agentes-queries.ts'
import { BASE_PATH } from '../../../api/base-path.ts'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useServices } from '../../../session/services.ts'
import { CommandText, CopyRow } from '../../../ui/copied-secret.tsx'
import { copyElement } from '../../../ui/copy-element.ts'
import { QrCode } from '../../../ui/qr-code.tsx'
import classes from './activation-code.module.css'
import { centralAddress } from './central-address.ts'

export interface ActivationStepsProps {
  readonly codigo: { readonly codigo: string; readonly expira_em: string }
  /** The active edge loses its access when the code is used. */
  readonly replaces: boolean
}

/** The one-time activation code of an edge, and the steps for its use on site. */
export function ActivationSteps({ codigo: { codigo, expira_em }, replaces }: ActivationStepsProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const code = useRef<HTMLOutputElement>(null)
  const [copied, setCopied] = useState<boolean | null>(null)
  const announced = useQuery(enderecoAgentesQuery(api))
  const { address, problem } = centralAddress(location.origin, announced.data ?? null, BASE_PATH)
  const command = `sudo firmware-images/debian/install-edge.sh --central ${address}`
  return (
    <>
      <output ref={code} className={classes.code} aria-label={t('caixas.codigo.rotulo')} translate="no">
        {codigo}
      </output>
      <CopyRow>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} />}
          data-autofocus
          onClick={() => code.current && void copyElement(code.current).then(setCopied)}
        >
          {t('caixas.codigo.copiar')}
        </Button>
        <p role="status">{copied !== null && t(copied ? 'caixas.codigo.copiado' : 'caixas.codigo.selecionado')}</p>
      </CopyRow>
      <p className={classes.once}>{t('caixas.codigo.umaVez', { ate: formatFull(expira_em, null) })}</p>
      {!announced.isPending && problem !== null && (
        <Alert color="yellow" variant="light" role="alert" mt="md">
          {t(`caixas.codigo.endereco.${problem}`, { endereco: address })}
        </Alert>
      )}
      <h3 className={classes.heading}>{t('caixas.codigo.oQueFazer')}</h3>
      <ol className={classes.steps}>
        <li>{t('caixas.codigo.passoPrograma')}</li>
        <li>
          {t('caixas.codigo.passoInstalar')}
          <CommandText translate="no">{command}</CommandText>
        </li>
        <li>{t('caixas.codigo.passoDigitar')}</li>
        <li>{t('caixas.codigo.passoEsperar')}</li>
        {replaces && <li>{t('caixas.codigo.passoTroca')}</li>}
      </ol>
      <figure className={classes.qr}>
        <QrCode text={`${command}\n${codigo}`} label={t('caixas.codigo.qr')} />
        <figcaption>{t('caixas.codigo.qrAjuda')}</figcaption>
      </figure>
    </>
  )
}
