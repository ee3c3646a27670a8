import { IconPlugConnectedX } from '@tabler/icons-react'
import { Outlet, useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { mustEnrol } from '../conta/must-enrol.ts'
import { LiveProvider, useLive } from '../live/live-provider.tsx'
import { LateVerification } from '../pendencias/late-verification.tsx'
import { useFullScreen } from '../plantao/use-full-screen.ts'
import { isQuiosque } from '../sessao/is-quiosque.ts'
import { SessionLimit } from '../sessao/session-limit.tsx'
import { Announcer } from './announcer.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'
import { Demonstration } from './demonstration.tsx'
import { EnrolFrame } from './enrol-frame.tsx'
import { Header } from './header.tsx'
import classes from './painel.module.css'
import { ServerWarnings } from './server-warnings.tsx'
import { SideNavigation } from './side-navigation.tsx'
import { SoundBlocked } from './sound-blocked.tsx'
import { useWide } from './use-wide.ts'

/** The frame of every page behind the sign-in. */
export function Painel() {
  const { me } = useRouteContext({ from: '/painel' })
  return (
    <Announcer>
      {mustEnrol(me) ? (
        <EnrolFrame />
      ) : (
        <LiveProvider>
          <Frame />
        </LiveProvider>
      )}
    </Announcer>
  )
}

function Frame() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { lost } = useLive()
  const wide = useWide()
  const isFull = useFullScreen()
  const hasNavigation = !isQuiosque(me) && !isFull
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#conteudo">
        {t('painel.pular')}
      </a>
      <Header />
      {hasNavigation && (wide ? <SideNavigation /> : <BottomNavigation />)}
      <main id="conteudo" className={classes.main} tabIndex={-1}>
        {lost && (
          <p className={classes.lost} role="alert">
            <IconPlugConnectedX size={22} aria-hidden="true" />
            {t('painel.semFluxo')}
          </p>
        )}
        <SessionLimit />
        <SoundBlocked />
        <ServerWarnings />
        <LateVerification />
        <Demonstration />
        <Outlet />
      </main>
    </div>
  )
}
