import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { EntradaInvalida } from '../../../domain/erros.ts';
import { faltaEm } from '../../../domain/erros.ts';
import { html } from '../../../kit/html/html.ts';
import { cartao } from '../componentes/cartao.ts';
import { escreverData } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { entrada } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';

const ENDERECO = '/configuracoes/cobranca/feriados';
const ROTULOS = { dia: 'Dia', nome: 'Nome' };
const ORIGENS = { nacional: 'Nacional', estado: 'Do estado', provedor: 'Do provedor' } as const;

/** '2027-03-19' of one year, '03-19' of every year, as people write them. */
const escreverDia = (dia: string): string =>
  dia.length === 5 ? `${dia.slice(3)}/${dia.slice(0, 2)}, todo ano` : escreverData(dia as Data);

async function telaDosFeriados(
  { servicos, sessao, agora }: Pick<Chamada, 'servicos' | 'sessao' | 'agora'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { provedor } = sessao;
  const ano = Number(hojeEm(provedor.fusoHorario, agora).slice(0, 4));
  const [proprios, doAno] = await Promise.all([
    servicos.feriados.listar(provedor.id),
    servicos.feriados.doAno(provedor, ano),
  ]);
  return {
    titulo: 'Feriados',
    menu: 'cobranca',
    migalhas: [['Cobrança', '/configuracoes/cobranca']],
    corpo: html`<div class="colunas">
        ${cartao(
          'Acrescentar um dia sem banco',
          formulario({
            para: ENDERECO,
            estado,
            rotulos: ROTULOS,
            enviar: 'Acrescentar',
            corpo: html`${entrada(estado, { nome: 'dia', rotulo: ROTULOS.dia, maximo: 10, obrigatorio: true, dica: '19/03 de todos os anos, ou 19/03/2027 de um só.' })}
            ${entrada(estado, { nome: 'nome', rotulo: ROTULOS.nome, maximo: 120, obrigatorio: true, dica: 'Como Aniversário da cidade.' })}`,
          }),
        )}
        ${cartao(
          'Dias do provedor',
          tabela({
            legenda: 'Dias do provedor',
            linhas: proprios,
            colunas: [
              { titulo: 'Dia', principal: true, celula: ({ dia }) => escreverDia(dia) },
              { titulo: 'Nome', celula: ({ nome, diaUtil }) => (diaUtil ? `${nome} (dia útil aqui)` : nome) },
              {
                titulo: 'Ações',
                celula: ({ dia }) => botao({ para: `${ENDERECO}/remover`, texto: 'Remover', valores: { dia } }),
              },
            ],
            vazia: vazio('calendar', 'Nenhum dia próprio', 'Os nacionais e os do estado já contam.'),
          }),
          { rente: true },
        )}
      </div>
      ${cartao(
        `Dias sem banco em ${ano}`,
        tabela({
          legenda: `Dias sem banco em ${ano}`,
          linhas: doAno,
          colunas: [
            { titulo: 'Dia', principal: true, celula: ({ dia }) => escreverData(dia as Data) },
            { titulo: 'Nome', celula: ({ nome }) => nome },
            { titulo: 'De quem', celula: ({ origem }) => ORIGENS[origem] },
          ],
          vazia: html``,
        }),
        { rente: true },
      )}`,
  };
}

/** What the service says of a field begins with its name. */
function noCampo(error: unknown): never {
  const [, campo, mensagem] = error instanceof EntradaInvalida ? (/^(dia|nome): (.+)$/s.exec(error.message) ?? []) : [];
  if (campo === undefined || mensagem === undefined) throw error;
  faltaEm(campo, `deve ser ${mensagem}`);
}

/** The provider's own days of the calendar. */
export const FERIADOS: readonly Rota[] = [
  pagina(ENDERECO, {
    permissao: 'cobranca.editar',
    mostrar: async (chamada) => ({ tela: await telaDosFeriados(chamada, EM_BRANCO) }),
  }),
  acao(ENDERECO, {
    permissao: 'cobranca.editar',
    campos: { dia: 'texto', nome: 'texto' },
    formulario: telaDosFeriados,
    async fazer({ dados, ator, servicos, sessao }) {
      const { dia, nome } = dados;
      const novo = {
        dia: typeof dia === 'string' ? dia : '',
        nome: typeof nome === 'string' ? nome : '',
        diaUtil: false,
      };
      await servicos.feriados.adicionar(ator, sessao.provedor.id, novo).catch(noCampo);
      return { ir: ENDERECO, feito: 'salvo' };
    },
  }),
  acao(`${ENDERECO}/remover`, {
    permissao: 'cobranca.editar',
    campos: { dia: 'texto' },
    async fazer({ dados: { dia }, ator, servicos, sessao }) {
      await servicos.feriados.remover(ator, sessao.provedor.id, typeof dia === 'string' ? dia : '');
      return { ir: ENDERECO, feito: 'removido' };
    },
  }),
];
