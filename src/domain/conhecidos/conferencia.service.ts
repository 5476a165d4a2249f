import { hash, timingSafeEqual } from 'node:crypto';
import { formasDoTelefone } from '../../brazil/pessoa/telefone.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { CONFERIVEIS } from './conferencia.types.ts';
import type { Conferivel, Ditos } from './conferencia.types.ts';
import type { ConhecidosService } from './conhecidos.service.ts';

export type ConferenciaService = ReturnType<typeof createConferenciaService>;

const digest = (texto: string): Buffer => hash('sha256', texto, 'buffer');

/** Whether any of these is one of those, in a time that does not say which. */
function algumIgual(ditos: readonly string[], guardados: readonly string[]): boolean {
  let iguais = 0;
  for (const dito of ditos.map(digest)) {
    for (const guardado of guardados.map(digest)) iguais += Number(timingSafeEqual(dito, guardado));
  }
  return iguais > 0;
}

/** Tells whether somebody is the client that he says, without telling who that is. */
export function createConferenciaService({
  w,
  conhecidos,
}: {
  readonly w: Write;
  readonly conhecidos: Pick<ConhecidosService, 'de'>;
}) {
  return {
    /**
     * Of each thing that is said whether it is so; null of what is not said. Phones as `telefone_exato` compares them; a CEP may be the
     * client's or that of one of his contracts.
     *
     * @throws Recusa `nao_encontrado`
     */
    async conferir(clienteId: number, ditos: Ditos): Promise<Readonly<Record<Conferivel, boolean | null>>> {
      const cliente = (await conhecidos.de([clienteId])).get(clienteId);
      recusarSeNao(cliente, 'nao_encontrado');
      const guardados: Readonly<Record<Conferivel, readonly string[]>> = {
        cpf_cnpj: cliente.documentos,
        data_nascimento: cliente.nascimentos,
        telefone: cliente.telefones,
        email: cliente.emails.map((email) => email.toLowerCase()),
        cep: cliente.ceps,
      };
      const julgar = (campo: Conferivel): boolean | null => {
        const dito = ditos[campo];
        if (dito === undefined) return null;
        const formas = campo === 'telefone' ? formasDoTelefone(dito) : [campo === 'email' ? dito.toLowerCase() : dito];
        return algumIgual(formas, guardados[campo]);
      };
      const confere = {
        cpf_cnpj: julgar('cpf_cnpj'),
        data_nascimento: julgar('data_nascimento'),
        telefone: julgar('telefone'),
        email: julgar('email'),
        cep: julgar('cep'),
      };
      const campos = CONFERIVEIS.filter((campo) => confere[campo] !== null);
      w.emit('cliente.conferido', clienteId, {
        cliente: clienteId,
        campos,
        conferem: campos.filter((campo) => confere[campo]),
      });
      return confere;
    },
  };
}
