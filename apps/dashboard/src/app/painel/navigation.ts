import {
  type Icon,
  IconBell,
  IconBook2,
  IconBuilding,
  IconCalendarClock,
  IconDeviceCctv,
  IconDeviceDesktop,
  IconHistoryToggle,
  IconHourglass,
  IconKey,
  IconLayoutGrid,
  IconLicense,
  IconListCheck,
  IconPlugConnectedX,
  IconReportAnalytics,
  IconRobot,
  IconRouter,
  IconSearch,
  IconSend,
  IconServer,
  IconTimeline,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import type { Me } from '@vigia/contracts/sessoes'

/** Groups of the navigation, in order. A group without a page has no heading. */
const grupos = ['plantao', 'cameras', 'equipamentos', 'consulta', 'administracao'] as const
type Grupo = (typeof grupos)[number]

interface NavPage {
  readonly to: string
  /** Key below `painel` of the texts. */
  readonly texto: string
  readonly icon: Icon
  readonly grupo: Grupo
  /** Only an `administrador` and the operator open this page. */
  readonly administrador?: true
  /** Only a login that sees plates of vehicles opens this page. */
  readonly placas?: true
  /** A screen in kiosk mode does not open this page. */
  readonly login?: true
  /** Stands in the bar of a phone, which fits four pages and "Mais". */
  readonly bar?: true
}

/** Every finished page of the navigation; a page without an entry has no link (docs/reference/pages.md). */
export const navPages = [
  { to: '/', texto: 'plantao', icon: IconBell, grupo: 'plantao', bar: true },
  { to: '/mosaico', texto: 'mosaico', icon: IconLayoutGrid, grupo: 'plantao' },
  { to: '/quedas', texto: 'quedas', icon: IconPlugConnectedX, grupo: 'plantao', bar: true },
  { to: '/livro', texto: 'livro', icon: IconBook2, grupo: 'plantao' },
  { to: '/cameras', texto: 'cameras', icon: IconDeviceCctv, grupo: 'cameras', bar: true },
  { to: '/instalacao', texto: 'instalacao', icon: IconListCheck, grupo: 'equipamentos', administrador: true },
  { to: '/gravadores', texto: 'gravadores', icon: IconServer, grupo: 'equipamentos', administrador: true },
  { to: '/caixas', texto: 'caixas', icon: IconRouter, grupo: 'equipamentos', bar: true },
  { to: '/busca', texto: 'busca', icon: IconSearch, grupo: 'consulta' },
  { to: '/linha-do-tempo', texto: 'linhaDoTempo', icon: IconTimeline, grupo: 'consulta' },
  { to: '/passagens', texto: 'passagens', icon: IconLicense, grupo: 'consulta', placas: true },
  {
    to: '/relatorios',
    texto: 'relatorios',
    icon: IconReportAnalytics,
    grupo: 'consulta',
    administrador: true,
  },
  { to: '/empresas', texto: 'empresas', icon: IconBuilding, grupo: 'administracao', administrador: true },
  { to: '/retencao', texto: 'retencao', icon: IconCalendarClock, grupo: 'administracao', administrador: true },
  { to: '/pessoas', texto: 'pessoas', icon: IconUsers, grupo: 'administracao', administrador: true },
  { to: '/quiosques', texto: 'quiosques', icon: IconDeviceDesktop, grupo: 'administracao', administrador: true },
  { to: '/canais', texto: 'canais', icon: IconSend, grupo: 'administracao', administrador: true },
  { to: '/agentes', texto: 'agentes', icon: IconRobot, grupo: 'administracao', login: true },
  { to: '/chaves', texto: 'chaves', icon: IconKey, grupo: 'administracao', administrador: true },
  { to: '/pendencias', texto: 'pendencias', icon: IconHourglass, grupo: 'administracao', administrador: true },
  { to: '/auditoria', texto: 'auditoria', icon: IconHistoryToggle, grupo: 'administracao', administrador: true },
  { to: '/conta', texto: 'conta', icon: IconUserCircle, grupo: 'administracao' },
] as const satisfies readonly NavPage[]

/** The pages that this login or screen may open, by group. */
export const pagesOf = ({ papel, id, ve_placas }: Pick<Me, 'papel' | 'id' | 've_placas'>) =>
  grupos.flatMap((grupo) => {
    const pages = navPages.filter(
      (one) =>
        one.grupo === grupo &&
        (papel === 'administrador' || !('administrador' in one)) &&
        (ve_placas || !('placas' in one)) &&
        (id !== null || !('login' in one)),
    )
    return pages.length === 0 ? [] : [{ grupo, pages }]
  })
