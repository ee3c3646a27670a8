import { useClickOutside, useWindowEvent } from '@mantine/hooks'
import {
  IconBuilding,
  IconDots,
  IconHistoryToggle,
  IconHourglass,
  IconKey,
  IconRobot,
  IconUserCircle,
} from '@tabler/icons-react'
import { Link, useRouteContext, useRouterState } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import header from './header.module.css'
import classes from './more-menu.module.css'

const PAGES = ['/agentes', '/empresas', '/chaves', '/pendencias', '/auditoria', '/conta']

/** Menu of the pages in rare use, because the navigation of a phone has space for five entries. */
export function MoreMenu() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useId()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const close = () => setOpen(false)
  const menu = useClickOutside<HTMLDivElement>(close)
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !open) return
    close()
    button.current?.focus()
  })
  useWindowEvent('focusin', ({ target }) => {
    if (target instanceof Node && !menu.current?.contains(target)) close()
  })
  return (
    <div ref={menu} className={classes.more}>
      <button
        ref={button}
        type="button"
        className={header.navLink}
        aria-expanded={open}
        aria-controls={list}
        data-current={PAGES.includes(path) || undefined}
        onClick={() => setOpen(!open)}
      >
        <IconDots size={20} aria-hidden="true" />
        {t('painel.mais')}
      </button>
      <ul id={list} className={classes.list} hidden={!open}>
        <li>
          <Link to="/conta" className={classes.link} activeOptions={{ includeSearch: false }} onClick={close}>
            <IconUserCircle size={20} aria-hidden="true" />
            {t('painel.conta')}
          </Link>
        </li>
        <li>
          <Link to="/agentes" className={classes.link} activeOptions={{ includeSearch: false }} onClick={close}>
            <IconRobot size={20} aria-hidden="true" />
            {t('painel.agentes')}
          </Link>
        </li>
        {me.papel === 'administrador' && (
          <li>
            <Link to="/chaves" className={classes.link} activeOptions={{ includeSearch: false }} onClick={close}>
              <IconKey size={20} aria-hidden="true" />
              {t('painel.chaves')}
            </Link>
          </li>
        )}
        {me.papel === 'administrador' && (
          <li>
            <Link to="/empresas" className={classes.link} activeOptions={{ includeSearch: false }} onClick={close}>
              <IconBuilding size={20} aria-hidden="true" />
              {t('painel.empresas')}
            </Link>
          </li>
        )}
        {me.papel === 'administrador' && (
          <li>
            <Link to="/pendencias" className={classes.link} activeOptions={{ includeSearch: false }} onClick={close}>
              <IconHourglass size={20} aria-hidden="true" />
              {t('painel.pendencias')}
            </Link>
          </li>
        )}
        {me.papel === 'administrador' && (
          <li>
            <Link to="/auditoria" className={classes.link} activeOptions={{ includeSearch: false }} onClick={close}>
              <IconHistoryToggle size={20} aria-hidden="true" />
              {t('painel.auditoria')}
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}
