import { IconDeviceCctv, IconFilterOff, IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../api/queries.ts'
import { ButtonLink } from '../painel/button-link.tsx'
import { Notice } from '../painel/notice.tsx'
import { useServices } from '../services.ts'

/** Shown for an empty list: the reason and the next step. */
export function NoAlertas() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, camera, veredito } = useSearch({ from: '/painel/' })
  const { data: cameras } = useQuery(camerasQuery(api, empresa ?? null))

  if (camera !== undefined || veredito !== undefined) {
    return (
      <Notice
        icon={<IconFilterOff size={32} />}
        title={t('alertas.vazio.filtroTitulo')}
        text={t('alertas.vazio.filtroTexto')}
        action={
          <ButtonLink to="/" variant="default">
            {t('alertas.vazio.limpar')}
          </ButtonLink>
        }
      />
    )
  }
  if (cameras?.length === 0) {
    const mayAdd = me.papel === 'administrador'
    return (
      <Notice
        icon={<IconDeviceCctv size={32} />}
        title={t('alertas.vazio.semCameraTitulo')}
        text={mayAdd ? t('alertas.vazio.semCameraTexto') : t('alertas.vazio.semCameraUsuario')}
        action={
          mayAdd && (
            <ButtonLink to="/cameras" search={{ adicionar: true }}>
              {t('alertas.vazio.adicionar')}
            </ButtonLink>
          )
        }
      />
    )
  }
  return (
    <Notice icon={<IconShieldCheck size={32} />} title={t('alertas.vazio.titulo')} text={t('alertas.vazio.texto')} />
  )
}
