ALTER TABLE "paper_feed" ADD COLUMN "kind" text DEFAULT 'replay' NOT NULL;--> statement-breakpoint
ALTER TABLE "paper_feed" ADD COLUMN "epoch" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "paper_feed" ADD COLUMN "last_price" double precision;--> statement-breakpoint
ALTER TABLE "paper_feed" ADD COLUMN "last_price_at" double precision;