import { camposDoServidor } from '../../../../domain/rede/servidores.service.ts';
import type { ServidorCadastrado, Servidor } from '../../../../domain/rede/panorama/panorama.types.ts';
import type { RespostaDoTeste } from '../../../../domain/rede/sessoes/teste-de-coa.service.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { quantos } from '../../componentes/escrita.ts';
import { EM_BRANCO, preenchido, recusado } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { comVersao } from '../../formulario/versao.ts';
import { naoEncontrado } from '../../recusas.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { nomeDoServidor } from '../palavras.ts';
import { onlinePorHora } from '../panorama/graficos.ts';
import { PERIODO } from '../panorama/panorama.rotas.ts';
import { graficosDaRede } from '../panorama/telas.ts';
import { CAMPOS_DA_MUDANCA, CAMPOS_DO_SERVIDOR, formularioDoServidor } from './formulario.ts';
import { acoesDoServidor, fichaDoServidor, onlineNoServidor } from './telas.ts';

type DoServidor<Consulta = unknown> = Chamada<{ readonly endereco: string }, Consulta>;

const DA_REDE = [['Rede', '/rede']] as const;
const LINHAS = 20;

async function acharServidor({ dominio, parametros }: DoServidor): Promise<{ servidor: Servidor; agora: Date }> {
  const { servidores, em } = await dominio.rede.panorama();
  const servidor = servidores.find(({ endereco }) => endereco === parametros.endereco);
  if (servidor === undefined) throw naoEncontrado();
  return { servidor, agora: em };
}

async function tela(
  chamada: DoServidor<{ readonly periodo: '24h' | '7d' | '31d' | undefined }>,
  teste: RespostaDoTeste | null = null,
): Promise<Tela> {
  const { dominio, sessao, consulta } = chamada;
  const { servidor, agora } = await acharServidor(chamada);
  const { endereco } = servidor;
  const [serie, linhas, avisos] = await Promise.all([
    dominio.rede.serie(consulta.periodo ?? '24h', endereco),
    dominio.rede.online({ nas: endereco }, LINHAS),
    dominio.avisosDeRede.doNas(endereco),
  ]);
  const contexto = { serie, fuso: sessao.provedor.fusoHorario, agora };
  return {
    titulo: nomeDoServidor(servidor),
    menu: 'rede',
    migalhas: DA_REDE,
    acoes: acoesDoServidor(sessao, servidor),
    scripts: ['uplot'],
    corpo: html`${fichaDoServidor({ sessao, servidor, agora, teste, avisos })}
    ${graficosDaRede(serie, sessao, agora, `/rede/servidores/${endereco}`, cartao('Online', onlinePorHora(contexto)))}
    ${onlineNoServidor(sessao, servidor, linhas, agora)}`,
  };
}

async function telaDoNovo({ dominio }: Chamada, estado: EstadoDoFormulario): Promise<Tela> {
  const corpo = formularioDoServidor({ estado, pops: await dominio.rede.pops(), servidor: null });
  return { titulo: 'Novo servidor', menu: 'rede', migalhas: DA_REDE, corpo };
}

const migalhasDe = (servidor: ServidorCadastrado): NonNullable<Tela['migalhas']> => [
  ...DA_REDE,
  [nomeDoServidor(servidor), `/rede/servidores/${servidor.endereco}`],
];

async function telaDaMudanca(chamada: DoServidor, estado: EstadoDoFormulario): Promise<Tela> {
  const { servidor } = await acharServidor(chamada);
  const { endereco, nome, pop, portaCoa, coa, portaAte } = servidor;
  const cadastrado = { endereco, nome, popId: pop?.id ?? null };
  const campos = camposDoServidor({ ...cadastrado, portaCoa, coa, portaAte });
  const atual = recusado(estado) ? estado : preenchido(campos);
  const pops = await chamada.dominio.rede.pops();
  const corpo = formularioDoServidor({ estado: atual, pops, servidor: { ...cadastrado, campos } });
  return { titulo: 'Mudar o servidor', menu: 'rede', migalhas: migalhasDe(cadastrado), corpo };
}

async function telaDaRemocao(chamada: DoServidor, estado: EstadoDoFormulario): Promise<Tela> {
  const { servidor } = await acharServidor(chamada);
  const { endereco, online } = servidor;
  return {
    titulo: 'Remover o servidor',
    menu: 'rede',
    migalhas: migalhasDe({ ...servidor, popId: null }),
    corpo: cartao(
      null,
      formulario({
        para: `/rede/servidores/${endereco}/remover`,
        estado,
        rotulos: {},
        corpo: html`<p>
            Removendo <strong>${nomeDoServidor(servidor)}</strong> (${endereco}), o painel deixa de ver
            ${online === 0 ? 'as sessões dele; agora não há nenhuma' : quantos(online, 'a sessão que está aberta nele', 'sessões que estão abertas nele')},
            e não pode mais encerrá-las nem mudá-las.
          </p>
          <p>
            O segredo dele é apagado: quando o FreeRADIUS for reiniciado, ninguém mais se autentica por este servidor.
            As sessões abertas não são derrubadas agora.
          </p>`,
        enviar: 'Remover servidor',
        volta: `/rede/servidores/${endereco}`,
        perigoso: true,
      }),
    ),
  };
}

export const SERVIDORES: readonly Rota[] = [
  pagina('/rede/servidores/novo', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDoNovo(chamada, preenchido({ porta_coa: 3799, coa: 'nao' })) }),
  }),
  acao('/rede/servidores/novo', {
    permissao: 'rede.gerir',
    campos: CAMPOS_DO_SERVIDOR,
    formulario: telaDoNovo,
    async fazer({ dados, ator, sessao, servicos }) {
      const { endereco } = await servicos.servidores.cadastrar(ator, sessao.provedor.id, dados);
      return { ir: `/rede/servidores/${endereco}`, feito: 'criado' };
    },
  }),
  pagina('/rede/servidores/{endereco}', {
    permissao: 'rede.ver',
    consulta: PERIODO,
    mostrar: async (chamada) => ({ tela: await tela(chamada) }),
  }),
  acao('/rede/servidores/{endereco}/testar', {
    permissao: 'rede.gerir',
    async fazer(chamada) {
      const { ator, sessao, servicos, parametros, ler } = chamada;
      const teste = await servicos.testeDeCoa.testar(ator, sessao.provedor.id, parametros.endereco);
      return {
        tela: await ler(async (dominio) => tela({ ...chamada, dominio, consulta: { periodo: undefined } }, teste)),
      };
    },
  }),
  pagina('/rede/servidores/{endereco}/editar', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDaMudanca(chamada, EM_BRANCO) }),
  }),
  acao('/rede/servidores/{endereco}/editar', {
    permissao: 'rede.gerir',
    campos: { ...CAMPOS_DA_MUDANCA, versao: 'texto' },
    formulario: telaDaMudanca,
    async fazer({ dados: digitados, ator, sessao, servicos, parametros: { endereco } }) {
      const { dados, lida } = comVersao(digitados);
      await servicos.servidores.alterar(ator, sessao.provedor.id, endereco, dados, lida);
      return { ir: `/rede/servidores/${endereco}`, feito: 'salvo' };
    },
  }),
  pagina('/rede/servidores/{endereco}/remover', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await telaDaRemocao(chamada, EM_BRANCO) }),
  }),
  acao('/rede/servidores/{endereco}/remover', {
    permissao: 'rede.gerir',
    formulario: telaDaRemocao,
    async fazer({ ator, sessao, servicos, parametros: { endereco } }) {
      await servicos.servidores.remover(ator, sessao.provedor.id, endereco);
      return { ir: '/rede', feito: 'removido' };
    },
  }),
];
