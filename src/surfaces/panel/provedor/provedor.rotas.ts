import { readFile } from 'node:fs/promises';
import { opcional } from '../../../domain/campos/campos.ts';
import { texto } from '../../../domain/campos/leitores.ts';
import { lidosDe } from '../../../domain/provedores/configuracao/formas.service.ts';
import { faltaEm } from '../../../domain/erros.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { comVersao } from '../formulario/versao.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { COR_PADRAO } from '../moldura/cor.ts';
import { previa } from './previa.ts';
import type { Previsto } from './previa.ts';
import { CAMINHO, CAMPOS_NA_TELA, NO_CAMPO, telaDoProvedor } from './telas.ts';

type Quem = Pick<Chamada, 'servicos' | 'sessao'>;

/** More than a logo may have, so that the form can say what is wrong with a larger one. */
const MAIOR_LOGO = 64 * 1024;

const digitado = opcional(texto(0, 300));
const DA_PREVIA = {
  nome: digitado,
  cor: digitado,
  telefone: digitado,
  whatsapp: digitado,
  email: digitado,
  site: digitado,
} as const;

async function tela(
  { servicos, sessao: { provedor } }: Quem,
  estado: EstadoDoFormulario | null,
  doLogo: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const lida = await servicos.configuracao.lerConfiguracao(provedor.id);
  const configuracao = await servicos.configuracao.buscar(provedor.id);
  if (lida === null || configuracao === null) throw naoEncontrado();
  const { campos } = lida;
  const cor = campos['cor'] === undefined || campos['cor'] === '' ? COR_PADRAO : campos['cor'];
  const inicial = preenchido(
    Object.fromEntries(Object.keys(CAMPOS_NA_TELA).map((nome) => [nome, NO_CAMPO(nome, campos[nome] ?? '')])),
  );
  const de = (nome: string): string => (estado ?? inicial).digitado.get(nome)?.[0] ?? '';
  const previsto: Previsto = {
    nome: de('nome'),
    cor: estado === null ? cor : de('cor'),
    telefone: de('telefone'),
    whatsapp: de('whatsapp'),
    email: de('email'),
    site: de('site'),
    logo: configuracao.identidade.logo,
  };
  const comCor = { ...inicial, digitado: new Map([...inicial.digitado, ['cor', [cor]] as const]) };
  return telaDoProvedor({
    estado: estado ?? comCor,
    previsto,
    campos: lidosDe(campos, Object.keys(CAMPOS_NA_TELA)),
    doLogo,
  });
}

/** How the provider shows itself: name, colour, contacts, address, logo. */
export const PROVEDOR: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao: 'configuracoes.editar',
    mostrar: async (chamada) => ({ tela: await tela(chamada, null) }),
  }),

  pagina(`${CAMINHO}/previa`, {
    permissao: 'configuracoes.editar',
    consulta: DA_PREVIA,
    async mostrar({ consulta, servicos, sessao }) {
      const { nome = '', cor = '', telefone = '', whatsapp = '', email = '', site = '' } = consulta;
      const logo = (await servicos.configuracao.buscar(sessao.provedor.id))?.identidade.logo ?? null;
      return { parte: previa({ nome, cor, telefone, whatsapp, email, site, logo }) };
    },
  }),

  acao(CAMINHO, {
    permissao: 'configuracoes.editar',
    campos: { ...CAMPOS_NA_TELA, versao: 'texto' },
    formulario: async (chamada, estado) => tela(chamada, estado),
    async fazer({ ator, dados: digitados, servicos, sessao: { provedor } }) {
      const { dados, lida } = comVersao(digitados);
      await servicos.configuracao.configurarIdentidade(ator, provedor.id, dados, lida);
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),

  acao(`${CAMINHO}/logo`, {
    permissao: 'configuracoes.editar',
    arquivo: { campo: 'logo', maximo: MAIOR_LOGO },
    formulario: async (chamada, estado) => tela(chamada, null, estado),
    async fazer({ arquivo, ator, servicos, sessao: { provedor } }) {
      if (arquivo === null) faltaEm('logo', 'escolha um arquivo PNG ou JPEG');
      await servicos.configuracao.configurarIdentidade(ator, provedor.id, { logo: await readFile(arquivo.path) });
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),

  acao(`${CAMINHO}/logo/remover`, {
    permissao: 'configuracoes.editar',
    async fazer({ ator, servicos, sessao: { provedor } }) {
      await servicos.configuracao.configurarIdentidade(ator, provedor.id, { logo: null });
      return { ir: CAMINHO, feito: 'removido' };
    },
  }),
];
