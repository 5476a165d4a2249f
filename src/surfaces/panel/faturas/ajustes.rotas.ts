import { opcional } from '../../../domain/campos/campos.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverValor } from '../../../brazil/dinheiro/escrita.ts';
import { escolha } from '../../../domain/campos/leitores.ts';
import { html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { escreverReais } from '../componentes/escrita.ts';
import { entrada } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { comVersao } from '../formulario/versao.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { exigirComposicao, exigirFatura, telaSobreFatura, versaoDaFatura } from './apoio.ts';
import { campoDoMotivo, ROTULO_DO_MOTIVO } from './motivo.ts';
import { AJUSTES } from './termos.ts';

const ROTULOS = { valor: 'Desconto', ...ROTULO_DO_MOTIVO };

async function telaDoDesconto(chamada: Chamada<{ readonly id: number }>, estado: EstadoDoFormulario): Promise<Tela> {
  const fatura = await exigirFatura(chamada);
  const encargos = centavos(fatura.multa + fatura.juros);
  return telaSobreFatura(
    chamada,
    fatura,
    'Dar desconto',
    html`<p>
        O desconto abate primeiro os encargos${encargos > 0 ? ` (hoje ${escreverReais(encargos)})` : ''} e depois o
        principal. Se cobrir tudo o que se deve, a fatura fica paga.
      </p>
      ${formulario({
        para: `/faturas/${fatura.id}/desconto`,
        estado,
        rotulos: ROTULOS,
        enviar: 'Dar desconto',
        volta: `/faturas/${fatura.id}`,
        corpo: html`${versaoDaFatura(fatura, estado)}
        ${entrada(estado, { nome: 'valor', rotulo: ROTULOS.valor, teclado: 'decimal', obrigatorio: true, dica: 'Em reais, como 10,00.' })}
        ${campoDoMotivo(estado)}`,
      })}`,
  );
}

async function telaDeDesfazer(
  chamada: Chamada<{ readonly id: number; readonly ajuste: number }>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { id, ajuste } = chamada.parametros;
  const [fatura, { ajustes }] = await Promise.all([exigirFatura(chamada), exigirComposicao(chamada)]);
  const achado = ajustes.find((um) => um.id === ajuste);
  if (achado === undefined) throw naoEncontrado();
  return telaSobreFatura(
    chamada,
    fatura,
    'Desfazer desconto ou crédito',
    html`<p>${AJUSTES[achado.tipo] ?? achado.tipo} de ${escreverReais(achado.valor)}.</p>
      ${aviso('warning', 'A fatura pode voltar a ser devida. Um crédito volta para a fatura de onde veio.')}
      ${formulario({
        para: `/faturas/${id}/ajustes/${ajuste}/desfazer`,
        estado,
        rotulos: ROTULO_DO_MOTIVO,
        enviar: 'Desfazer',
        volta: `/faturas/${id}`,
        perigoso: true,
        corpo: campoDoMotivo(estado),
      })}`,
  );
}

/** What staff take off what is owed, and how that is undone. */
export const AJUSTES_DA_FATURA: readonly Rota[] = [
  pagina('/faturas/{id}/desconto', {
    permissao: 'faturas.desconto',
    consulta: { encargos: opcional(escolha(['sim'])) },
    async mostrar(chamada) {
      const fatura = await exigirFatura(chamada);
      const encargos = centavos(fatura.multa + fatura.juros);
      const estado =
        chamada.consulta.encargos === undefined || encargos === 0
          ? EM_BRANCO
          : preenchido({ valor: escreverValor(encargos), motivo: 'Dispensa de multa e juros' });
      return { tela: await telaDoDesconto(chamada, estado) };
    },
  }),
  acao('/faturas/{id}/desconto', {
    permissao: 'faturas.desconto',
    campos: { valor: 'dinheiro', motivo: 'texto', versao: 'texto' },
    formulario: telaDoDesconto,
    async fazer({ parametros: { id }, dados: digitados, mudar }) {
      const { dados, lida } = comVersao(digitados);
      await mudar(async (_dominio, { ajustes }) => ajustes.darDesconto(id, dados, lida));
      return { ir: `/faturas/${id}`, feito: 'salvo' };
    },
  }),
  pagina('/faturas/{id}/ajustes/{ajuste}/desfazer', {
    permissao: 'faturas.desconto',
    mostrar: async (chamada) => ({ tela: await telaDeDesfazer(chamada, EM_BRANCO) }),
  }),
  acao('/faturas/{id}/ajustes/{ajuste}/desfazer', {
    permissao: 'faturas.desconto',
    campos: { motivo: 'texto' },
    formulario: telaDeDesfazer,
    async fazer({ parametros: { id, ajuste }, dados, mudar }) {
      await mudar(async (_dominio, { ajustes }) => {
        if ((await ajustes.desfazer(ajuste, dados)).faturaId !== id) throw naoEncontrado();
      });
      return { ir: `/faturas/${id}`, feito: 'desfeito' };
    },
  }),
];
