-- Nothing was ever written to these: no version with 0004 had a paper exchange.
DROP TABLE "paper_accounts";--> statement-breakpoint
DROP TABLE "paper_orders";--> statement-breakpoint
DROP TABLE "paper_fills";--> statement-breakpoint
CREATE TABLE "paper_accounts" (
	"bot_id" uuid PRIMARY KEY NOT NULL,
	"book" jsonb NOT NULL,
	"funded" double precision NOT NULL,
	"advanced_to" double precision NOT NULL,
	"fills" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paper_orders" (
	"bot_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"order" jsonb NOT NULL,
	CONSTRAINT "paper_orders_bot_id_client_id_pk" PRIMARY KEY("bot_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "paper_fills" (
	"bot_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"at" double precision NOT NULL,
	"fill" jsonb NOT NULL,
	CONSTRAINT "paper_fills_bot_id_place_pk" PRIMARY KEY("bot_id","place")
);
--> statement-breakpoint
ALTER TABLE "paper_accounts" ADD CONSTRAINT "paper_accounts_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_orders" ADD CONSTRAINT "paper_orders_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_fills" ADD CONSTRAINT "paper_fills_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "public"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "paper_fills_at" ON "paper_fills" USING btree ("bot_id","at");--> statement-breakpoint
ALTER TABLE "paper_feed" DROP COLUMN "interval";
