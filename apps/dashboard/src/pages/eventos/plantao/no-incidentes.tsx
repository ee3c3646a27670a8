import { IconDeviceCctv, IconFilterOff, IconShieldCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SituacaoFila } from '../../../api/queries.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Notice } from '../../../ui/notice.tsx'

interface NoIncidentesProps {
  readonly situacao: SituacaoFila
  readonly hasCamera: boolean
  readonly mayAdd: boolean
}

/** Shown for an empty queue: the reason and the next step. */
export function NoIncidentes({ situacao, hasCamera, mayAdd }: NoIncidentesProps) {
  const { t } = useTranslation()
  if (!hasCamera) {
    return (
      <Notice
        icon={<IconDeviceCctv size={32} />}
        title={t('plantao.vazio.semCameraTitulo')}
        text={t(mayAdd ? 'plantao.vazio.semCameraTexto' : 'plantao.vazio.semCameraUsuario')}
        action={
          mayAdd && (
            // Most sites have a recorder; the page of the cameras also offers a single one.
            <ButtonLink to="/gravadores/novo">{t('plantao.vazio.adicionar')}</ButtonLink>
          )
        }
      />
    )
  }
  if (situacao !== 'sem_resposta') {
    return (
      <Notice
        icon={<IconFilterOff size={32} />}
        title={t('plantao.vazio.filtro')}
        text={t('plantao.vazio.filtroTexto')}
      />
    )
  }
  return (
    <Notice icon={<IconShieldCheck size={32} />} title={t('plantao.vazio.titulo')} text={t('plantao.vazio.texto')} />
  )
}
