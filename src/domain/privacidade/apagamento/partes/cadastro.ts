import { apagarPalavras } from '../../../clientes/palavras/palavras.service.ts';
import type { EnderecoRow } from '../../../enderecos/enderecos.types.ts';
import { paraEndereco } from '../../../enderecos/enderecos.types.ts';
import type { Caso, Feito, Parte } from '../apagamento.types.ts';

/** An address without anything in it. */
export const ENDERECO_VAZIO: Readonly<Record<keyof EnderecoRow, null>> = {
  cep: null,
  logradouro: null,
  numero: null,
  complemento: null,
  bairro: null,
  cidade: null,
  uf: null,
};

export const temEndereco = (row: EnderecoRow): boolean =>
  Object.values(paraEndereco(row)).some((parte) => parte !== null);

/** How to reach the person, and what is known of them beside who they are: nothing asks for it any more. */
async function apagar({ w, titular }: Caso): Promise<Feito> {
  const { id, email, nome_fantasia: fantasia, data_nascimento: nascimento } = titular;
  const apagados = [
    ...(email === null ? [] : ['cadastro.email']),
    ...(fantasia === null ? [] : ['cadastro.nome_fantasia']),
    ...(nascimento === null ? [] : ['cadastro.data_nascimento']),
    ...(temEndereco(titular) ? ['cadastro.endereco'] : []),
  ];
  if (apagados.length > 0) {
    await w.update('clientes', (q) => void q.where('id', id), {
      email: null,
      nome_fantasia: null,
      data_nascimento: null,
      ...ENDERECO_VAZIO,
    });
  }
  await apagarPalavras(w, id);
  // What phones were is soon found by trying all that there are.
  await w.update('importacao_linhas', (q) => void q.where('cliente_id', id).whereNotNull('impressao'), {
    impressao: null,
  });
  const telefones = await w.delete('clientes_telefones', (q) => void q.where('cliente_id', id));
  return { apagados: telefones > 0 ? [...apagados, 'cadastro.telefones'] : apagados, guardados: [] };
}

export const DO_CADASTRO: Parte = {
  tabelas: ['clientes', 'clientes_palavras', 'clientes_telefones', 'importacao_linhas'],
  apagar,
};
