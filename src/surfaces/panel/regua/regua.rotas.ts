import { exigido, lerCampos, opcional } from '../../../domain/campos/campos.ts';
import { data, escolha, id as umId, lista as listaDeIds, simOuNao } from '../../../domain/campos/leitores.ts';
import { faltaEm } from '../../../domain/erros.ts';
import { AVISOS_DE_UMA_VEZ } from '../../../domain/regua/avisos.service.ts';
import { ENTREGAS_LISTADAS, PASSOS } from '../../../domain/regua/regua.types.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { EM_BRANCO, valorDe } from '../formulario/estado.ts';
import { comVersao } from '../formulario/versao.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { AMANHA_EM, telaDeAmanha } from './amanha.ts';
import { telaDoCliente } from './cliente.ts';
import { CAMINHO, CAMPOS, telaDaRegua } from './configuracao.ts';
import { telaDeHoje } from './hoje.ts';
import { REGUA_EM } from './passos.ts';
import type { Lista } from './passos.ts';

/** Who may leave somebody alone, and say that a notice arrived: whoever sets the rules, and whoever takes payments. */
const QUEM_PAUSA = ['cobranca.editar', 'faturas.baixar'] as const;

/** The list that something was pressed in, which goes along. */
const DA_LISTA = { dia: 'texto', passo: 'texto', entrega: 'texto' } as const;
const DAS_ENTREGAS = {
  todas: exigido(simOuNao),
  registros: exigido(listaDeIds(umId, 0, AVISOS_DE_UMA_VEZ)),
} as const;
/** So many writes at a press: what is left is in the list, and is pressed for again. */
const VEZES_POR_PEDIDO = 10;

function listaDe(dados: Readonly<Record<string, unknown>>): Lista | null {
  const dia = data(dados['dia']);
  const passo = escolha(PASSOS)(dados['passo']);
  const entrega = escolha(ENTREGAS_LISTADAS)(dados['entrega']);
  if (!('valor' in dia) || !('valor' in passo)) return null;
  return { dia: dia.valor, passo: passo.valor, entrega: 'valor' in entrega ? entrega.valor : undefined };
}

const enderecoDe = (lista: Lista | null): string => (lista === null ? REGUA_EM : comConsulta(REGUA_EM, { ...lista }));

/** Back to the list that a button was pressed in, or to the client. */
const volta = (dados: Readonly<Record<string, unknown>>, clienteId: number): string => {
  const lista = listaDe(dados);
  return lista === null ? `/clientes/${clienteId}/regua` : enderecoDe(lista);
};

/** The collection ladder: its rules, what it does, and for whom it stands still. */
export const REGUA: readonly Rota[] = [
  pagina(CAMINHO, {
    permissao: 'cobranca.editar',
    mostrar: async (chamada) => ({ tela: await telaDaRegua(chamada, null) }),
  }),
  acao(CAMINHO, {
    permissao: 'cobranca.editar',
    campos: CAMPOS,
    formulario: telaDaRegua,
    async fazer({ dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { regua }) => regua.configurar(dados, lida));
      return { ir: CAMINHO, feito: 'salvo' };
    },
  }),
  pagina('/regua', {
    permissao: ['cobranca.editar', 'faturas.ver'],
    consulta: {
      dia: opcional(data),
      passo: opcional(escolha(PASSOS)),
      entrega: opcional(escolha(ENTREGAS_LISTADAS)),
      depois: opcional(umId),
    },
    mostrar: async (chamada) => ({ tela: await telaDeHoje(chamada, chamada.consulta) }),
  }),
  pagina(AMANHA_EM, {
    permissao: ['cobranca.editar', 'faturas.ver'],
    mostrar: async (chamada) => ({ tela: await telaDeAmanha(chamada) }),
  }),
  pagina('/clientes/{id}/regua', {
    permissao: 'faturas.ver',
    mostrar: async (chamada) => ({ tela: await telaDoCliente(chamada, EM_BRANCO) }),
  }),
  acao('/clientes/{id}/regua', {
    permissao: QUEM_PAUSA,
    campos: { contrato: 'texto', motivo: 'texto', ate: 'data', so_bloqueio: 'caixa' },
    formulario: telaDoCliente,
    async fazer({ parametros: { id }, dados: { contrato, ...dados }, mudar }) {
      const tudo = contrato === undefined || contrato === '';
      const lido = umId(contrato);
      if (!tudo && !('valor' in lido)) faltaEm('contrato', 'escolha um dos contratos do cliente');
      await mudar(async (_dominio, { regua }) =>
        'valor' in lido ? regua.pausarContrato(lido.valor, dados, id) : regua.pausarCliente(id, dados),
      );
      return { ir: `/clientes/${id}/regua`, feito: 'salvo' };
    },
  }),
  acao('/regua/pausas/{id}/retomar', {
    permissao: QUEM_PAUSA,
    async fazer({ parametros: { id }, mudar }) {
      const { clienteId } = await mudar(async (_dominio, { regua }) => regua.retomar(id));
      return { ir: `/clientes/${clienteId}/regua`, feito: 'salvo' };
    },
  }),
  acao('/regua/registros/{id}/entrega', {
    permissao: QUEM_PAUSA,
    campos: DA_LISTA,
    async fazer({ parametros: { id }, dados, mudar }) {
      const { clienteId } = await mudar(async (_dominio, { regua }) => regua.anotarEntrega(id));
      return { ir: volta(dados, clienteId), feito: 'salvo' };
    },
  }),
  acao('/regua/registros/{id}/desfazer', {
    permissao: QUEM_PAUSA,
    campos: DA_LISTA,
    async fazer({ parametros: { id }, dados, mudar }) {
      const { clienteId } = await mudar(async (_dominio, { regua }) => regua.desanotarEntrega(id));
      return { ir: volta(dados, clienteId), feito: 'desfeito' };
    },
  }),
  acao('/regua/registros/{id}/avisar', {
    permissao: QUEM_PAUSA,
    campos: DA_LISTA,
    async fazer({ parametros: { id }, dados, mudar }) {
      const { clienteId } = await mudar(async (_dominio, { regua }) => regua.avisarDeNovo(id));
      return { ir: volta(dados, clienteId), feito: 'avisados' };
    },
  }),
  acao('/regua/entregas', {
    permissao: QUEM_PAUSA,
    campos: { ...DA_LISTA, registros: 'lista', todas: 'caixa', como: 'texto' },
    formulario: async (chamada, estado) => {
      const dita = (nome: string): string => valorDe(estado, nome);
      const lista = listaDe({ dia: dita('dia'), passo: dita('passo'), entrega: dita('entrega') });
      return telaDeHoje(chamada, lista ?? {}, estado);
    },
    async fazer({ dados, mudar }) {
      const lista = listaDe(dados);
      const { todas, registros } = lerCampos(DAS_ENTREGAS, { todas: dados['todas'], registros: dados['registros'] });
      const filtro = lista?.entrega;
      if (!todas && registros.length === 0) faltaEm('registros', 'marque os que foram entregues');
      if (todas && filtro === undefined) faltaEm('todas', 'escolha antes quais, no alto da lista');
      await mudar(async (dominio, { regua }) => {
        const quais =
          todas && lista !== null && filtro !== undefined
            ? await dominio.regua.semEntrega(lista.dia, lista.passo, filtro, AVISOS_DE_UMA_VEZ)
            : registros;
        return regua.anotarEntregas(quais, { como: dados['como'] });
      });
      return { ir: enderecoDe(lista), feito: 'salvo' };
    },
  }),
  acao('/regua/avisar', {
    permissao: QUEM_PAUSA,
    campos: DA_LISTA,
    async fazer({ dados, mudar }) {
      const lista = listaDe(dados);
      if (lista === null) faltaEm('dia', 'é obrigatório');
      let depoisDe = 0;
      for (let vez = 0; vez < VEZES_POR_PEDIDO; vez += 1) {
        const { proximo } = await mudar(async (_dominio, { regua }) => regua.avisarDeNovoODia(lista.dia, depoisDe));
        if (proximo === null) break;
        depoisDe = proximo;
      }
      return { ir: enderecoDe(lista), feito: 'avisados' };
    },
  }),
];
