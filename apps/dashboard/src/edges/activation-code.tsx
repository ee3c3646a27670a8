import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import dialog from '../cameras/camera-dialog.module.css'
import { InfoDialog } from '../painel/info-dialog.tsx'
import { formatFull } from '../tempo/format-time.ts'
import classes from './activation-code.module.css'
import { copyElement } from './copy-element.ts'

export interface ActivationCodeProps {
  readonly nome: string
  readonly codigo: { readonly codigo: string; readonly expira_em: string }
  /** The active edge loses its access when the code is used. */
  readonly replaces: boolean
  readonly onClose: () => void
}

/** The one-time activation code of an edge, and the steps for its use on site. */
export function ActivationCode({ nome, codigo: { codigo, expira_em }, replaces, onClose }: ActivationCodeProps) {
  const { t } = useTranslation()
  const code = useRef<HTMLOutputElement>(null)
  const [copied, setCopied] = useState<boolean | null>(null)
  return (
    <InfoDialog guarded title={t('caixas.codigo.titulo', { nome })} onClose={onClose}>
      <output ref={code} className={classes.code} aria-label={t('caixas.codigo.rotulo')} translate="no">
        {codigo}
      </output>
      <div className={classes.copy}>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} />}
          data-autofocus
          onClick={() => code.current && void copyElement(code.current).then(setCopied)}
        >
          {t('caixas.codigo.copiar')}
        </Button>
        <p role="status">{copied !== null && t(copied ? 'caixas.codigo.copiado' : 'caixas.codigo.selecionado')}</p>
      </div>
      <p className={classes.once}>{t('caixas.codigo.umaVez', { ate: formatFull(expira_em, null) })}</p>
      <h3 className={classes.heading}>{t('caixas.codigo.oQueFazer')}</h3>
      <ol className={classes.steps}>
        <li>
          {t('caixas.codigo.passoInstalar')}
          <pre className={classes.command} translate="no">
            sudo firmware-images/debian/install-edge.sh --central {location.origin}
          </pre>
        </li>
        <li>{t('caixas.codigo.passoDigitar')}</li>
        <li>{t('caixas.codigo.passoEsperar')}</li>
        {replaces && <li>{t('caixas.codigo.passoTroca')}</li>}
      </ol>
      <div className={dialog.buttons}>
        <Button onClick={onClose}>{t('caixas.codigo.guardado')}</Button>
      </div>
    </InfoDialog>
  )
}
